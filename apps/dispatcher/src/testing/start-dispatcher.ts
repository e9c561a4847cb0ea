import { type connect } from 'node:net';
import { type Clock } from '@svc/kernel';
import {
  type Database,
  DeliveryIntake,
  DeliveryRetention,
  DeliverySchedule,
  DeliverySettlement,
} from '@svc/persistence';
import { createLogger, createMetrics, createSealer, systemClock } from '@svc/platform';
import { DeliveryAttempts } from '../delivery/delivery-attempts';
import { DeliveryMetrics } from '../delivery/delivery-metrics';
import { Dispatcher } from '../dispatcher';
import { machineAddresses } from '../transport/resolve-addresses';
import { WebhookTransport } from '../transport/webhook-transport';
import { DirectTransport } from './direct-transport';

export const masterKey = Buffer.alloc(32, 7);
export const sealer = createSealer(masterKey);

export interface DispatcherOptions {
  readonly database?: Database;
  readonly clock?: Clock;
  readonly retryDelaysSeconds?: readonly number[];
  readonly leaseMs?: number;
  readonly timeoutMs?: number;
  readonly attemptsMax?: number;
  readonly lookForLostEveryMs?: number;
  readonly transport?: DirectTransport;
  /** Opens connections instead of `node:net`. */
  readonly connect?: typeof connect;
  /** Sends instead of the transport, which it is given. */
  readonly sendThrough?: (transport: WebhookTransport) => Pick<WebhookTransport, 'post'>;
}

/** A dispatcher of the world's, and the lines it logs. */
export interface RunningDispatcher {
  readonly dispatcher: Dispatcher;
  readonly transport: DirectTransport;
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly metrics: ReturnType<typeof createMetrics>;
  stop(): Promise<void>;
}

export const SHORT_DELAYS = [0.3, 0.3, 0.3, 0.3, 0.3];

/** The service's parts, put together as its module does, but for times that a spec can wait for. */
export function startDispatcher(
  options: DispatcherOptions & { readonly database: Database },
): RunningDispatcher {
  const { database, retryDelaysSeconds = SHORT_DELAYS, leaseMs, timeoutMs, transport } = options;
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(
    { service: 'dispatcher', level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const registry = createMetrics('dispatcher-spec');
  const metrics = new DeliveryMetrics(registry);
  const events = transport ?? new DirectTransport();
  const webhooks = new WebhookTransport({
    policy: { allowPrivate: true },
    resolve: machineAddresses,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(options.connect === undefined ? {} : { connect: options.connect }),
  });
  const dispatcher = new Dispatcher({
    transport: events,
    intake: new DeliveryIntake(database),
    schedule: new DeliverySchedule(database, leaseMs === undefined ? {} : { leaseMs }),
    attempts: new DeliveryAttempts({
      transport: options.sendThrough?.(webhooks) ?? webhooks,
      settlement: new DeliverySettlement(database, { retryDelaysSeconds }),
      sealer,
      clock: options.clock ?? systemClock,
      logger,
      metrics,
    }),
    retention: new DeliveryRetention(database),
    metrics,
    logger,
    ...(options.attemptsMax === undefined ? {} : { attemptsMax: options.attemptsMax }),
    lookForLostEveryMs: options.lookForLostEveryMs ?? 200,
  });
  dispatcher.onApplicationBootstrap();
  let stopping: Promise<void> | null = null;
  return {
    dispatcher,
    transport: events,
    lines,
    metrics: registry,
    stop: () => (stopping ??= dispatcher.onApplicationShutdown()),
  };
}
