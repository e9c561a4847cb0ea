import { type Kafka, type Message, Partitioners, type Producer, type ProducerConfig } from 'kafkajs';
import { type KafkaTopic } from './kafka-topic';

interface ProducerSettings {
  /** How many replicas must have a batch: 1 for the partition's leader, -1 for all that are in sync. */
  readonly acks: number;
  readonly timeoutMs: number;
  readonly config?: Pick<ProducerConfig, 'idempotent' | 'maxInFlightRequests'>;
}

/** Sends to one topic. It connects at the first batch, and once more after each failure. */
export class KafkaProducer {
  private producer: Promise<Producer> | null = null;

  constructor(
    private readonly kafka: Kafka,
    private readonly topic: KafkaTopic,
    private readonly settings: ProducerSettings,
  ) {}

  /** Sends batches one after the other. @throws KafkaJSError where one was not acknowledged. */
  async send(batches: Iterable<Message[]>): Promise<void> {
    const { acks, timeoutMs: timeout } = this.settings;
    try {
      this.producer ??= this.open();
      const producer = await this.producer;
      for (const messages of batches)
        await producer.send({ topic: this.topic.name, acks, timeout, messages });
    } catch (error) {
      // The next batch would reuse this one's sequence numbers. If this one was written after all, the broker would
      // drop the next as a repeat. A new producer has new numbers.
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const producer = await this.producer?.catch(() => null);
    this.producer = null;
    await producer?.disconnect().catch(() => undefined);
  }

  private async open(): Promise<Producer> {
    await this.topic.ensure();
    const producer = this.kafka.producer({
      ...this.settings.config,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }
}
