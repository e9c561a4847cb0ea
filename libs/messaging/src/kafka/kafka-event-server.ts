import { type ConsumptionOptions } from '../consumption/event-consumer';
import { type MessageConsumer } from '../consumption/message-consumer';
import { EventServer } from '../strategy/event-server';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { CALLS_TOPIC, EVENTS_TOPIC, KafkaTopic } from './kafka-topic';
import { KafkaSubscription } from './kafka-subscription';

interface KafkaServerOptions extends KafkaAddress, ConsumptionOptions {}

/**
 * Consumes events and finished calls from Kafka. A new group begins with the oldest event in Kafka, and later continues where it stopped.
 * Its members reconnect by themselves after an outage.
 */
export class KafkaEventServer extends EventServer {
  private readonly topic: KafkaTopic;
  private readonly callsTopic: KafkaTopic;
  private subscriptions: readonly KafkaSubscription[] = [];

  constructor(private readonly options: KafkaServerOptions) {
    super(options);
    const kafka = kafkaClient(options, options.logger);
    this.topic = new KafkaTopic(kafka, options.prefix, EVENTS_TOPIC);
    this.callsTopic = new KafkaTopic(kafka, options.prefix, CALLS_TOPIC);
  }

  /** Calls back at once, so that a service starts while Kafka is down. */
  override listen(callback: () => void): void {
    this.subscriptions = [
      ...this.openEventConsumers().map((consumer) => this.subscribe(this.topic, consumer)),
      ...this.openCallConsumers().map((consumer) => this.subscribe(this.callsTopic, consumer)),
    ];
    callback();
  }

  /** A readiness check. It rejects while Kafka does not answer. */
  ping(): Promise<void> {
    return this.topic.ping();
  }

  /** Resolves when the events in flight are handled and their offsets committed. */
  override async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
    await Promise.all([this.topic.close(), this.callsTopic.close()]);
  }

  private subscribe(topic: KafkaTopic, consumer: MessageConsumer): KafkaSubscription {
    const { prefix, logger } = this.options;
    const kafka = kafkaClient(this.options, logger);
    return new KafkaSubscription({ kafka, topic, groupId: `${prefix}.${consumer.group}`, consumer, logger });
  }
}
