import { type Logger } from '@svc/runtime/observability';
import { type CallClient, type CallRecord } from '../call-record';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { KafkaProducer } from './kafka-producer';
import { CALLS_TOPIC, KafkaTopic } from './kafka-topic';

interface KafkaCallClientOptions extends KafkaAddress {
  readonly logger: Logger;
}

/** The partition's leader: a call that it loses is telemetry. */
const LEADER = 1;
const ACKNOWLEDGE_TIMEOUT_MS = 2_000;

/** Hands finished calls over through Kafka. Those of an organization go to one partition, so that one process sends them to its collectors. */
export class KafkaCallClient implements CallClient {
  private readonly topic: KafkaTopic;
  private readonly producer: KafkaProducer;

  constructor(options: KafkaCallClientOptions) {
    const kafka = kafkaClient(options, options.logger);
    this.topic = new KafkaTopic(kafka, options.prefix, CALLS_TOPIC);
    this.producer = new KafkaProducer(kafka, this.topic, { acks: LEADER, timeoutMs: ACKNOWLEDGE_TIMEOUT_MS });
  }

  async handOver(calls: readonly CallRecord[]): Promise<void> {
    await this.producer.send([
      calls.map(({ organizationId, payload }) => ({ key: organizationId, value: payload })),
    ]);
  }

  async close(): Promise<void> {
    await this.producer.close();
    await this.topic.close();
  }
}
