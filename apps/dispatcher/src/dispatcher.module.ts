import { type DynamicModule, Module } from '@nestjs/common';
import { type WebhookUrlPolicy } from '@svc/events';
import { type Clock } from '@svc/kernel';
import { type Database, MailQueue, UnitOfWork } from '@svc/database';
import {
  DeliveryIntake,
  DeliveryRetention,
  IntegrationIntake,
  webhookSchedule,
  webhookSettlement,
} from '@svc/deliveries/store';
import { type Mailer } from '@svc/http';
import { createSealer, type MasterKey, RepeatingTask } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { DeliveryAttempts } from './delivery/delivery-attempts';
import { DeliveryLoop } from './delivery/delivery-loop';
import { DeliveryMetrics } from './delivery/delivery-metrics';
import { WebhookChannel } from './delivery/webhook-channel';
import { Dispatcher, type DispatcherParts } from './dispatcher';
import { EventIntake } from './intake/event-intake';
import { IntegrationSender } from './integrations/integration-sender';
import { sendMails } from './mails/send-mails';
import { CallIntake } from './otlp/call-intake';
import { telemetryParts } from './otlp/telemetry-parts';
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
  /** Missing where no mail server is configured: mails are then skipped. */
  readonly mailer?: Mailer | undefined;
}

const SEND_MAILS_EVERY_MS = 1_000;

/** The webhook dispatcher: its parts are wired here. */
@Module({})
export class DispatcherModule {
  static register(runtime: DispatcherRuntime): DynamicModule {
    const transport = transportOf(runtime);
    const parts = partsOf(runtime, transport);
    return {
      module: DispatcherModule,
      controllers: [EventIntake, CallIntake],
      providers: [
        { provide: DeliveryIntake, useValue: new DeliveryIntake() },
        { provide: UnitOfWork, useValue: new UnitOfWork(runtime.database) },
        { provide: DeliveryLoop, useValue: parts.loop },
        { provide: Dispatcher, useValue: new Dispatcher(parts) },
        { provide: IntegrationIntake, useValue: new IntegrationIntake() },
        { provide: IntegrationSender, useValue: parts.sender },
        { provide: 'task:mails', useValue: mailTask(runtime) },
        ...telemetryParts(runtime, transport),
      ],
    };
  }
}

function mailTask({ database, mailer, baseUrl, logger, metrics }: DispatcherRuntime): RepeatingTask {
  const sent = new Counter({
    name: 'svc_mails_total',
    help: 'Tries to send a mail to a member, by how they ended.',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of ['sent', 'retried', 'failed', 'skipped']) sent.inc({ outcome }, 0);
  const queue = new MailQueue(database);
  const run = () => sendMails({ queue, mailer: mailer ?? null, baseUrl, logger, sent });
  const isDue = () => queue.isDue();
  return new RepeatingTask({ name: 'mails', everyMs: SEND_MAILS_EVERY_MS, logger, isDue, run });
}

/** The one way out: all that is sent to customers' addresses goes through its guard. */
function transportOf({ logger, baseUrl, allowPrivate = false }: DispatcherRuntime): WebhookTransport {
  const policy: WebhookUrlPolicy = { allowPrivate, ownHosts: [new URL(baseUrl).host] };
  const resolve = allowPrivate ? systemAddresses : publicAddresses();
  if (allowPrivate) logger.warn('webhooks may be sent to private hosts and over http: for development only');
  return new WebhookTransport({ policy, resolve });
}

function partsOf(
  runtime: DispatcherRuntime,
  transport: WebhookTransport,
): DispatcherParts & { readonly sender: IntegrationSender } {
  const { database, logger, masterKey, clock, retryDelaysSeconds } = runtime;
  const metrics = new DeliveryMetrics(runtime.metrics);
  const schedule = webhookSchedule(database);
  const sealer = createSealer(masterKey);
  const attempts = new DeliveryAttempts({
    channel: new WebhookChannel({ transport, sealer, clock, metrics }),
    settlement: webhookSettlement(database, { retryDelaysSeconds }),
    logger,
  });
  const loop = new DeliveryLoop({ schedule, attempts, logger });
  const canMail = runtime.mailer !== undefined;
  const sender = new IntegrationSender({ ...runtime, transport, sealer, canMail });
  return { loop, schedule, attempts, retention: new DeliveryRetention(database), metrics, logger, sender };
}
