import { type DynamicModule, Module } from '@nestjs/common';
import { type WebhookUrlPolicy } from '@svc/events';
import { type Clock } from '@svc/kernel';
import {
  type Database,
  DeliveryIntake,
  DeliveryRetention,
  DeliverySchedule,
  DeliverySettlement,
} from '@svc/persistence';
import { createSealer, type Logger, type MasterKey, type Registry } from '@svc/platform';
import { DeliveryAttempts } from './delivery/delivery-attempts';
import { DeliveryLoop } from './delivery/delivery-loop';
import { DeliveryMetrics } from './delivery/delivery-metrics';
import { Dispatcher, type DispatcherParts } from './dispatcher';
import { EventIntake } from './intake/event-intake';
import { systemAddresses, publicAddresses } from './transport/resolve-addresses';
import { WebhookTransport } from './transport/webhook-transport';

export interface DispatcherRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Opens the endpoints' signing secrets. */
  readonly masterKey: MasterKey;
  readonly baseUrl: string;
  /** The clock of signatures. The database's clock decides what is due. */
  readonly clock: Clock;
  /** Seconds after each of a delivery's first five failures: `SVC_WEBHOOK_RETRY_DELAYS`. */
  readonly retryDelaysSeconds?: readonly number[];
  /** `SVC_WEBHOOK_ALLOW_PRIVATE` */
  readonly allowPrivate?: boolean;
}

/** The webhook dispatcher: its parts are wired here. */
@Module({})
export class DispatcherModule {
  static register(runtime: DispatcherRuntime): DynamicModule {
    const parts = partsOf(runtime);
    return {
      module: DispatcherModule,
      controllers: [EventIntake],
      providers: [
        { provide: DeliveryIntake, useValue: new DeliveryIntake(runtime.database) },
        { provide: DeliveryLoop, useValue: parts.loop },
        { provide: Dispatcher, useValue: new Dispatcher(parts) },
      ],
    };
  }
}

function partsOf(runtime: DispatcherRuntime): DispatcherParts {
  const { database, logger, masterKey, clock, retryDelaysSeconds, baseUrl, allowPrivate = false } = runtime;
  const metrics = new DeliveryMetrics(runtime.metrics);
  const policy: WebhookUrlPolicy = { allowPrivate, ownHosts: [new URL(baseUrl).host] };
  const resolve = allowPrivate ? systemAddresses : publicAddresses();
  if (allowPrivate) logger.warn('webhooks may be sent to private hosts and over http: for development only');
  const schedule = new DeliverySchedule(database);
  const attempts = new DeliveryAttempts({
    transport: new WebhookTransport({ policy, resolve }),
    settlement: new DeliverySettlement(
      database,
      retryDelaysSeconds === undefined ? {} : { retryDelaysSeconds },
    ),
    sealer: createSealer(masterKey),
    clock,
    logger,
    metrics,
  });
  const loop = new DeliveryLoop({ schedule, attempts, logger });
  return { loop, schedule, attempts, retention: new DeliveryRetention(database), metrics, logger };
}
