import { type connect } from 'node:net';
import { type Clock } from '@svc/kernel';
import { type EventRecord } from '@svc/messaging';
import { type Database, UnitOfWork } from '@svc/database';
import {
  type ClaimedWebhookDelivery,
  DeliveryIntake,
  DeliveryRetention,
  IntegrationIntake,
  webhookSchedule,
  webhookSettlement,
} from '@svc/deliveries/store';
import { createSealer, systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { DeliveryAttempts } from '../delivery/delivery-attempts';
import { DeliveryLoop } from '../delivery/delivery-loop';
import { DeliveryMetrics } from '../delivery/delivery-metrics';
import { WebhookChannel } from '../delivery/webhook-channel';
import { Dispatcher } from '../dispatcher';
import { IntegrationSender } from '../integrations/integration-sender';
import { EventIntake } from '../intake/event-intake';
import { systemAddresses } from '../transport/resolve-addresses';
import { WebhookTransport } from '../transport/webhook-transport';

export const masterKey = Buffer.alloc(32, 7);
export const sealer = createSealer(masterKey);

export interface DispatcherOptions {
  readonly database?: Database;
  readonly clock?: Clock;
  readonly retryDelaysSeconds?: readonly number[];
  readonly leaseMs?: number;
  readonly timeoutMs?: number;
  readonly attemptsMax?: number;
  readonly pollMs?: number;
  readonly findLostEveryMs?: number;
  /** Opens connections instead of `node:net`. */
  readonly connect?: typeof connect;
  /** Wraps the transport. */
  readonly sendThrough?: (transport: WebhookTransport) => Pick<WebhookTransport, 'post'>;
}

/** A running dispatcher, and the lines that it logs. */
export interface RunningDispatcher {
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly metrics: ReturnType<typeof createMetrics>;
  /** Passes events to the intake, and throws its failures, as the event transport would see them. */
  publish(events: readonly EventRecord[]): Promise<void>;
  stop(): Promise<void>;
}

export const SHORT_DELAYS = [0.3, 0.3, 0.3, 0.3, 0.3];

/** Wires the service's parts as its module does, but with times that a spec can wait for. */
export function startDispatcher(
  options: DispatcherOptions & { readonly database: Database },
): RunningDispatcher {
  const { database, retryDelaysSeconds = SHORT_DELAYS, clock = systemClock, leaseMs, timeoutMs } = options;
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(
    { service: 'dispatcher', level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const registry = createMetrics('dispatcher-spec');
  const metrics = new DeliveryMetrics(registry);
  const webhooks = new WebhookTransport({
    policy: { allowPrivate: true },
    resolve: systemAddresses,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(options.connect === undefined ? {} : { connect: options.connect }),
  });
  const schedule = webhookSchedule(database, { leaseMs });
  const transport = options.sendThrough?.(webhooks) ?? webhooks;
  const attempts = new DeliveryAttempts({
    channel: new WebhookChannel({ transport, sealer, clock, metrics }),
    settlement: webhookSettlement(database, { retryDelaysSeconds }),
    logger,
  });
  const loop = new DeliveryLoop({
    schedule,
    attempts,
    logger,
    ...(options.attemptsMax === undefined ? {} : { attemptsMax: options.attemptsMax }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
  const sender = integrationSender({ ...options, retryDelaysSeconds }, webhooks, logger, registry);
  const intake = eventIntake(database, loop, sender);
  const dispatcher = new Dispatcher({
    loop,
    schedule,
    attempts,
    retention: new DeliveryRetention(database),
    metrics,
    logger,
    findLostEveryMs: options.findLostEveryMs ?? 200,
  });
  dispatcher.onApplicationBootstrap();
  sender.onApplicationBootstrap();
  let stopping: Promise<void> | null = null;
  return {
    lines,
    metrics: registry,
    publish: (events) => intake.take(events),
    stop: () =>
      (stopping ??= Promise.all([dispatcher.onApplicationShutdown(), sender.onApplicationShutdown()]).then(
        () => undefined,
      )),
  };
}

const eventIntake = (
  database: Database,
  loop: Pick<DeliveryLoop<ClaimedWebhookDelivery>, 'wake'>,
  sender: IntegrationSender,
): EventIntake =>
  new EventIntake(new UnitOfWork(database), new DeliveryIntake(), loop, new IntegrationIntake(), sender);

const integrationSender = (
  options: DispatcherOptions & { readonly database: Database },
  webhooks: WebhookTransport,
  logger: ReturnType<typeof createLogger>,
  metrics: ReturnType<typeof createMetrics>,
): IntegrationSender =>
  new IntegrationSender({
    ...options,
    logger,
    metrics,
    transport: options.sendThrough?.(webhooks) ?? webhooks,
    sealer,
    clock: options.clock ?? systemClock,
    baseUrl: 'https://svc.example.com',
    canMail: true,
    findLostEveryMs: options.findLostEveryMs ?? 200,
  });
