import { type ConsumptionOptions } from '../consumption/event-consumer';
import { EventServer } from '../strategy/event-server';
import { EventsTopic } from './events-topic';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { KafkaSubscription } from './kafka-subscription';

interface KafkaServerOptions extends KafkaAddress, ConsumptionOptions {}

/**
 * Consumes events from Kafka. A new group begins with the oldest event in Kafka, and later continues where it stopped.
 * Its members reconnect by themselves after an outage.
 */
export class KafkaEventServer extends EventServer {
  private readonly topic: EventsTopic;
  private subscriptions: readonly KafkaSubscription[] = [];

  constructor(private readonly options: KafkaServerOptions) {
    super(options);
    this.topic = new EventsTopic(kafkaClient(options, options.logger), options.prefix);
  }

  /** Calls back at once, so that a service starts while Kafka is down. */
  override listen(callback: () => void): void {
    const { prefix, logger } = this.options;
    this.subscriptions = this.openConsumers().map(
      (consumer) =>
        new KafkaSubscription({
          kafka: kafkaClient(this.options, logger),
          topic: this.topic,
          groupId: `${prefix}.${consumer.group}`,
          consumer,
          logger,
        }),
    );
    callback();
  }

  /** A readiness check. It rejects while Kafka does not answer. */
  ping(): Promise<void> {
    return this.topic.ping();
  }

  /** Resolves when the events in flight are handled and their offsets committed. */
  override async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
    await this.topic.close();
  }
}
