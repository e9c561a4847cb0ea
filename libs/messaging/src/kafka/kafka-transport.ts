import { type ConsumptionOptions, eventConsumers } from '../consumption/event-consumer';
import { type EventHandler, type EventRecord, type EventTransport } from '../event-transport';
import { EventsTopic } from './events-topic';
import { kafkaClient, type KafkaAddress } from './kafka-client';
import { KafkaPublisher } from './kafka-publisher';
import { KafkaSubscription } from './kafka-subscription';

export interface KafkaOptions extends KafkaAddress, ConsumptionOptions {
  /** Begins the names of the topic and of the groups. Installations that share a cluster have one each. */
  readonly prefix: string;
}

/**
 * Events over Kafka: one topic, created where it is missing. Nothing connects before it is used, and everything comes
 * back by itself when Kafka was away.
 */
export class KafkaTransport implements EventTransport {
  private readonly topic: EventsTopic;
  private readonly publisher: KafkaPublisher;
  private readonly subscriptions: KafkaSubscription[] = [];
  private readonly newConsumer: ReturnType<typeof eventConsumers>;

  constructor(private readonly options: KafkaOptions) {
    this.topic = new EventsTopic(this.client(), options.prefix);
    this.publisher = new KafkaPublisher(this.client(), this.topic);
    this.newConsumer = eventConsumers(options);
  }

  publish(events: readonly EventRecord[]): Promise<void> {
    return this.publisher.publish(events);
  }

  /** A group begins with the oldest event that Kafka has, and goes on where it stopped. */
  subscribe(group: string, handler: EventHandler): void {
    const subscription = new KafkaSubscription({
      kafka: this.client(),
      topic: this.topic,
      groupId: `${this.options.prefix}.${group}`,
      consumer: this.newConsumer(group, handler),
      logger: this.options.logger,
    });
    this.subscriptions.push(subscription);
  }

  /** For a service's readiness. Rejects while Kafka does not answer. */
  ping(): Promise<void> {
    return this.topic.ping();
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions, this.publisher].map((part) => part.close()));
    await this.topic.close();
  }

  private client() {
    return kafkaClient(this.options, this.options.logger);
  }
}
