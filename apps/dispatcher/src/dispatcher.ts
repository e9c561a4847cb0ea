import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  type ClaimedWebhookDelivery,
  type DeliveryRetention,
  type LeasedDelivery,
  type WebhookSchedule,
} from '@svc/deliveries/store';
import { RepeatingTask } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type DeliveryAttempts } from './delivery/delivery-attempts';
import { type DeliveryLoop } from './delivery/delivery-loop';
import { type DeliveryMetrics } from './delivery/delivery-metrics';
import { failLostAttempts } from './delivery/fail-lost-attempts';

export interface DispatcherParts {
  readonly loop: DeliveryLoop<ClaimedWebhookDelivery>;
  readonly schedule: WebhookSchedule;
  readonly attempts: DeliveryAttempts<LeasedDelivery, ClaimedWebhookDelivery>;
  readonly retention: DeliveryRetention;
  readonly metrics: DeliveryMetrics;
  readonly logger: Logger;
  /** The interval of the search for lost attempts. */
  readonly findLostEveryMs?: number;
}

const FIND_LOST_EVERY_MS = 5_000;
const EXPIRE_EVERY_MS = 60_000;
const EXPIRE_BATCH = 1_000;

/** Sends due deliveries. Any number of dispatchers may share one database and one event transport. */
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: DeliveryLoop<ClaimedWebhookDelivery>;
  private readonly tasks: readonly RepeatingTask[];

  constructor(parts: DispatcherParts) {
    const { loop, schedule, attempts, retention, metrics, logger, findLostEveryMs } = parts;
    this.loop = loop;
    metrics.watch(schedule, () => loop.inFlightCount, logger);
    this.tasks = [
      new RepeatingTask({
        name: 'lost-attempts',
        everyMs: findLostEveryMs ?? FIND_LOST_EVERY_MS,
        logger,
        run: () => failLostAttempts(schedule, attempts, (delivery) => loop.isInFlight(delivery)),
      }),
      new RepeatingTask({
        name: 'expired-deliveries',
        everyMs: EXPIRE_EVERY_MS,
        logger,
        run: async () => ({ more: (await retention.expireWaiting(EXPIRE_BATCH)) === EXPIRE_BATCH }),
      }),
    ];
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    for (const task of this.tasks) task.onApplicationBootstrap();
  }

  /** Drains attempts in flight. Events taken meanwhile wait in the database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.loop.stop(), ...this.tasks.map((task) => task.onApplicationShutdown())]);
  }
}
