import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { integrationKinds } from '@svc/deliveries';
import { type Clock } from '@svc/kernel';
import { type Database } from '@svc/database';
import {
  type ClaimedIntegrationDelivery,
  integrationSchedule,
  integrationSettlement,
} from '@svc/deliveries/store';
import { RepeatingTask, type Sealer } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { DeliveryAttempts } from '../delivery/delivery-attempts';
import { DeliveryLoop } from '../delivery/delivery-loop';
import { failLostAttempts } from '../delivery/fail-lost-attempts';
import { type WebhookTransport } from '../transport/webhook-transport';
import { IntegrationChannel } from './integration-channel';

interface IntegrationSenderOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly transport: Pick<WebhookTransport, 'post'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly canMail: boolean;
  readonly retryDelaysSeconds?: readonly number[] | undefined;
  readonly leaseMs?: number | undefined;
  /** The interval of the search for lost attempts. */
  readonly findLostEveryMs?: number | undefined;
}

const FIND_LOST_EVERY_MS = 5_000;

/** Sends messages to integrations, in a loop of its own: however many hang, no webhook waits for a place. */
export class IntegrationSender implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: DeliveryLoop<ClaimedIntegrationDelivery>;
  private readonly lostAttempts: RepeatingTask;

  constructor(options: IntegrationSenderOptions) {
    const { database, logger, retryDelaysSeconds, leaseMs, findLostEveryMs, metrics } = options;
    const schedule = integrationSchedule(database, { leaseMs });
    const attempts = new DeliveryAttempts({
      channel: new IntegrationChannel({ ...options, ended: endedCounter(metrics) }),
      settlement: integrationSettlement(database, { retryDelaysSeconds }),
      logger,
    });
    this.loop = new DeliveryLoop({ schedule, attempts, logger });
    this.lostAttempts = new RepeatingTask({
      name: 'lost-integration-attempts',
      everyMs: findLostEveryMs ?? FIND_LOST_EVERY_MS,
      logger,
      run: () => failLostAttempts(schedule, attempts, (delivery) => this.loop.isInFlight(delivery)),
    });
  }

  /** Claims now, without waiting for the next poll. */
  wake(): void {
    this.loop.wake();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.lostAttempts.onApplicationBootstrap();
  }

  /** Drains attempts in flight. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.loop.stop(), this.lostAttempts.onApplicationShutdown()]);
  }
}

function endedCounter(registry: Registry): Counter<'kind' | 'outcome'> {
  const ended = new Counter({
    name: 'svc_integration_deliveries_total',
    help: 'Attempts at integrations, by the status that the delivery had then.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  for (const kind of integrationKinds) {
    for (const outcome of ['succeeded', 'failed', 'dead', 'void']) ended.inc({ kind, outcome }, 0);
  }
  return ended;
}
