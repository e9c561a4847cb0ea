import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import { type EventRecord } from '../event-transport';
import { messageOf } from './event-message';
import { type EventsTopic } from './events-topic';

const ALL_REPLICAS = -1;
const ACKNOWLEDGE_TIMEOUT_MS = 5_000;
/** Brokers refuse more than a megabyte at a time, by default: many large events of one organization must not block all. */
const PAYLOAD_BYTES_AT_A_TIME = 500_000;

/** The relay's way into Kafka. One batch at a time, so that an organization's events keep their order. */
export class KafkaPublisher {
  private producer: Promise<Producer> | null = null;
  private publishing: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly topic: EventsTopic,
  ) {}

  publish(events: readonly EventRecord[]): Promise<void> {
    const published = this.publishing.then(() => this.send(events));
    this.publishing = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.publishing;
    await this.discardProducer();
  }

  private async send(events: readonly EventRecord[]): Promise<void> {
    if (this.isClosed) throw new Error('The transport is closed.');
    try {
      this.producer ??= this.openProducer();
      const producer = await this.producer;
      for (const part of partsOf(events)) {
        await producer.send({
          topic: this.topic.name,
          acks: ALL_REPLICAS,
          timeout: ACKNOWLEDGE_TIMEOUT_MS,
          messages: part.map(messageOf),
        });
      }
    } catch (error) {
      // The next batch would take this one's sequence numbers. Were this one written after all, the broker would take
      // the next for a repeat and drop it. A new producer has numbers of its own.
      await this.discardProducer();
      throw error;
    }
  }

  private async openProducer(): Promise<Producer> {
    await this.topic.ensure();
    const producer = this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
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

function* partsOf(events: readonly EventRecord[]): Generator<readonly EventRecord[]> {
  let part: EventRecord[] = [];
  let byteCount = 0;
  for (const event of events) {
    const bytes = Buffer.byteLength(event.payload);
    if (byteCount + bytes > PAYLOAD_BYTES_AT_A_TIME && part.length > 0) {
      yield part;
      part = [];
      byteCount = 0;
    }
    part.push(event);
    byteCount += bytes;
  }
  if (part.length > 0) yield part;
}
