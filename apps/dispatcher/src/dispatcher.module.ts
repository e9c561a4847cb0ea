import { type DynamicModule, Module } from '@nestjs/common';
import { type WebhookUrlPolicy } from '@svc/events';
import { type Clock } from '@svc/kernel';
import { type EventTransport } from '@svc/messaging';
import {
  type Database,
  DeliveryIntake,
  DeliveryRetention,
  DeliverySchedule,
  DeliverySettlement,
} from '@svc/persistence';
import { createSealer, type Logger, type MasterKey, type Registry } from '@svc/platform';
import { DeliveryAttempts } from './delivery/delivery-attempts';
import { DeliveryMetrics } from './delivery/delivery-metrics';
import { Dispatcher } from './dispatcher';
import { machineAddresses, publicAddresses } from './transport/resolve-addresses';
import { WebhookTransport } from './transport/webhook-transport';

export interface DispatcherRuntime {
  readonly database: Database;
  readonly transport: EventTransport;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Opens the endpoints' signing secrets. */
  readonly masterKey: MasterKey;
  readonly baseUrl: string;
  /** Of signatures. What is due the database's clock decides. */
  readonly clock: Clock;
  /** Seconds after each of a delivery's first five failures: `SVC_WEBHOOK_RETRY_DELAYS`. */
  readonly retryDelaysSeconds?: readonly number[];
  /** `SVC_WEBHOOK_ALLOW_PRIVATE` */
  readonly allowPrivate?: boolean;
}

/** The webhook dispatcher: the one file where its parts are put together. */
@Module({})
export class DispatcherModule {
  static register(runtime: DispatcherRuntime): DynamicModule {
    return {
      module: DispatcherModule,
      providers: [{ provide: Dispatcher, useFactory: () => dispatcherOf(runtime) }],
    };
  }
}

function dispatcherOf(runtime: DispatcherRuntime): Dispatcher {
  const { database, transport, logger, masterKey, clock, retryDelaysSeconds } = runtime;
  const { baseUrl, allowPrivate = false } = runtime;
  const metrics = new DeliveryMetrics(runtime.metrics);
  const policy: WebhookUrlPolicy = { allowPrivate, ownHosts: [new URL(baseUrl).host] };
  const resolve = allowPrivate ? machineAddresses : publicAddresses();
  if (allowPrivate) logger.warn('webhooks may be sent to private hosts and over http: for development only');
  return new Dispatcher({
    transport,
    intake: new DeliveryIntake(database),
    schedule: new DeliverySchedule(database),
    attempts: new DeliveryAttempts({
      transport: new WebhookTransport({ policy, resolve }),
      settlement: new DeliverySettlement(
        database,
        retryDelaysSeconds === undefined ? {} : { retryDelaysSeconds },
      ),
      sealer: createSealer(masterKey),
      clock,
      logger,
      metrics,
    }),
    retention: new DeliveryRetention(database),
    metrics,
    logger,
  });
}
