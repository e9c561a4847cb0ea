import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type EventTransport } from '@svc/messaging';
import { type DeliveryIntake, type DeliveryRetention, type DeliverySchedule } from '@svc/persistence';
import { type Logger } from '@svc/platform';
import { type DeliveryAttempts } from './delivery/delivery-attempts';
import { DeliveryLoop, type DeliveryLoopOptions } from './delivery/delivery-loop';
import { type DeliveryMetrics } from './delivery/delivery-metrics';
import { giveUpLost } from './delivery/lost-deliveries';
import { EventIntake } from './intake/event-intake';
import { Repeated } from './repeated';

export interface DispatcherParts extends Pick<DeliveryLoopOptions, 'attemptsMax' | 'drainMs'> {
  readonly transport: EventTransport;
  readonly intake: DeliveryIntake;
  readonly schedule: DeliverySchedule;
  readonly attempts: DeliveryAttempts;
  readonly retention: DeliveryRetention;
  readonly metrics: DeliveryMetrics;
  readonly logger: Logger;
  /** How often lost attempts are looked for. */
  readonly lookForLostEveryMs?: number;
}

const CONSUMER_GROUP = 'dispatcher';
const LOOK_FOR_LOST_EVERY_MS = 5_000;
const EXPIRE_EVERY_MS = 60_000;
const EXPIRE_BATCH = 1_000;

/** From an event to its endpoints. Any number of them share one database. */
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: DeliveryLoop;
  private readonly repeated: readonly Repeated[];

  /** Takes events from now on: a transport without a consumer would lose them. They are sent once it starts. */
  constructor(parts: DispatcherParts) {
    const { transport, intake, schedule, attempts, retention, metrics, logger, lookForLostEveryMs } = parts;
    const loop = new DeliveryLoop(parts);
    this.loop = loop;
    metrics.watch(schedule, () => loop.inFlightCount, logger);
    this.repeated = [
      new Repeated({
        name: 'lost-deliveries',
        everyMs: lookForLostEveryMs ?? LOOK_FOR_LOST_EVERY_MS,
        logger,
        run: () => giveUpLost(schedule, attempts, (delivery) => loop.isInFlight(delivery)),
      }),
      new Repeated({
        name: 'expired-deliveries',
        everyMs: EXPIRE_EVERY_MS,
        logger,
        run: async () => ({ more: (await retention.expireWaiting(EXPIRE_BATCH)) === EXPIRE_BATCH }),
      }),
    ];
    const events = new EventIntake(intake, () => {
      loop.call();
    });
    transport.subscribe(CONSUMER_GROUP, events.take);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    for (const task of this.repeated) task.start();
  }

  /** Attempts in flight are seen to their end; events are still taken, and wait in the database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.loop.stop(), ...this.repeated.map((task) => task.stop())]);
  }
}
