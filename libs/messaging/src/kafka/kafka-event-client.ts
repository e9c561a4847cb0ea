import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import { type Logger } from '@svc/runtime/observability';
import { type EventRecord } from '../event-record';
import { EventClient } from '../strategy/event-client';
import { messageOf } from './event-message';

import { kafkaClient, type KafkaAddress } from './kafka-client';
import { EVENTS_TOPIC, KafkaTopic } from './kafka-topic';

interface KafkaClientOptions extends KafkaAddress {
  readonly logger: Logger;
}

const ALL_REPLICAS = -1;
const ACKNOWLEDGE_TIMEOUT_MS = 5_000;
/**
 * By default brokers refuse more than a megabyte at a time. Many large events of one organization must not block the
 * others.
 */
const PAYLOAD_BYTES_AT_A_TIME = 500_000;

/** Publishes events to Kafka. An event is accepted when all in-sync replicas have it. */
export class KafkaEventClient extends EventClient {
  private readonly kafka: Kafka;
  private readonly topic: KafkaTopic;
  private producer: Promise<Producer> | null = null;

  constructor(options: KafkaClientOptions) {
    super();
    this.kafka = kafkaClient(options, options.logger);
    this.topic = new KafkaTopic(this.kafka, options.prefix, EVENTS_TOPIC);
  }

  /** A readiness check. It rejects while Kafka does not answer. */
  ping(): Promise<void> {
    return this.topic.ping();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.discardProducer();
    await this.topic.close();
  }

  protected override async handOver(events: readonly EventRecord[]): Promise<void> {
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
      // The next batch would reuse this one's sequence numbers. If this one was written after all, the broker would
      // drop the next as a repeat. A new producer has new numbers.
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
