import { type Message } from 'kafkajs';
import { type Logger } from '@svc/runtime/observability';
import { type EventRecord } from '../event-record';
import { EventClient } from '../strategy/event-client';
import { messageOf } from './event-message';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { KafkaProducer } from './kafka-producer';
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
  private readonly topic: KafkaTopic;
  private readonly producer: KafkaProducer;

  constructor(options: KafkaClientOptions) {
    super();
    const kafka = kafkaClient(options, options.logger);
    this.topic = new KafkaTopic(kafka, options.prefix, EVENTS_TOPIC);
    this.producer = new KafkaProducer(kafka, this.topic, {
      acks: ALL_REPLICAS,
      timeoutMs: ACKNOWLEDGE_TIMEOUT_MS,
      config: { idempotent: true, maxInFlightRequests: 1 },
    });
  }

  /** A readiness check. It rejects while Kafka does not answer. */
  ping(): Promise<void> {
    return this.topic.ping();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.producer.close();
    await this.topic.close();
  }

  protected override handOver(events: readonly EventRecord[]): Promise<void> {
    return this.producer.send(partsOf(events));
  }
}

function* partsOf(events: readonly EventRecord[]): Generator<Message[]> {
  let part: Message[] = [];
  let byteCount = 0;
  for (const event of events) {
    const bytes = Buffer.byteLength(event.payload);
    if (byteCount + bytes > PAYLOAD_BYTES_AT_A_TIME && part.length > 0) {
      yield part;
      part = [];
      byteCount = 0;
    }
    part.push(messageOf(event));
    byteCount += bytes;
  }
  if (part.length > 0) yield part;
}
