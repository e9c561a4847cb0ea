import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import { type Logger } from '@svc/runtime/observability';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { CALLS_TOPIC, KafkaTopic } from './kafka-topic';
import { type CallClient, type CallRecord } from '../call-record';

interface KafkaCallClientOptions extends KafkaAddress {
  readonly logger: Logger;
}

/** The partition's leader: a call that it loses is telemetry. */
const LEADER = 1;
const ACKNOWLEDGE_TIMEOUT_MS = 2_000;

/**
 * Hands finished calls over through Kafka. It connects at the first call, and once more after each failure. Those of an
 * organization go to one partition, so that one process sends them to its collectors.
 */
export class KafkaCallClient implements CallClient {
  private readonly kafka: Kafka;
  private readonly topic: KafkaTopic;
  private producer: Promise<Producer> | null = null;

  constructor(options: KafkaCallClientOptions) {
    this.kafka = kafkaClient(options, options.logger);
    this.topic = new KafkaTopic(this.kafka, options.prefix, CALLS_TOPIC);
  }

  async handOver(calls: readonly CallRecord[]): Promise<void> {
    try {
      this.producer ??= this.openProducer();
      const producer = await this.producer;
      await producer.send({
        topic: this.topic.name,
        acks: LEADER,
        timeout: ACKNOWLEDGE_TIMEOUT_MS,
        messages: calls.map(({ organizationId, payload }) => ({ key: organizationId, value: payload })),
      });
    } catch (error) {
      await this.discardProducer();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.discardProducer();
    await this.topic.close();
  }

  private async openProducer(): Promise<Producer> {
    await this.topic.ensure();
    const producer = this.kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }

  private async discardProducer(): Promise<void> {
    const producer = await this.producer?.catch(() => null);
    this.producer = null;
    await producer?.disconnect().catch(() => undefined);
  }
}
