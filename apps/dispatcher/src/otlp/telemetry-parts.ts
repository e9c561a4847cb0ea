import { type Provider } from '@nestjs/common';
import { type Clock } from '@svc/kernel';
import { type Database } from '@svc/database';
import { activeOtlpIntegrations, IntegrationHealth, OtlpMetricCursors } from '@svc/deliveries/store';
import { type MasterKey, createSealer, RepeatingTask } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { minuteSums } from '@svc/usage/store';
import { type WebhookTransport } from '../transport/webhook-transport';
import { Collectors } from './collectors';
import { HealthNotes } from './health-notes';
import { OtlpIntegrations } from './otlp-integrations';
import { Telemetry } from './telemetry';

interface TelemetryRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

const SEND_MINUTES_EVERY_MS = 5_000;
/** Rows of one minute of one organization: 20,000 are some 30 MB. */
const MINUTE_ROWS_MAX = 20_000;

/** The parts that send telemetry, wired. They share the guarded transport of webhooks. */
export function telemetryParts(
  { database, logger, metrics, masterKey, clock }: TelemetryRuntime,
  transport: WebhookTransport,
): Provider[] {
  const rejected = new Counter({
    name: 'svc_otlp_rejected_total',
    help: 'Spans and points that a collector rejected of a request that it took otherwise.',
    labelNames: ['signal'],
    registers: [metrics],
  });
  for (const signal of ['traces', 'metrics']) rejected.inc({ signal }, 0);
  const telemetry = new Telemetry({
    integrations: new OtlpIntegrations({
      find: () => activeOtlpIntegrations(database),
      sealer: createSealer(masterKey),
      logger,
      nowMs: () => performance.now(),
    }),
    collectors: new Collectors({
      transport,
      clock,
      random: Math.random,
      logger,
      onRejected: (signal, count) => {
        rejected.inc({ signal }, count);
      },
    }),
    cursors: new OtlpMetricCursors(database),
    sumsOf: (organizationId, minuteMs) => minuteSums(database, organizationId, minuteMs, MINUTE_ROWS_MAX),
    health: new HealthNotes({
      health: new IntegrationHealth(database),
      logger,
      nowMs: () => performance.now(),
    }),
    metrics,
  });
  const task = new RepeatingTask({
    name: 'otlp-metrics',
    everyMs: SEND_MINUTES_EVERY_MS,
    logger,
    run: () => telemetry.sendMinutes(),
  });
  return [
    { provide: Telemetry, useValue: telemetry },
    { provide: 'task:otlp-metrics', useValue: task },
  ];
}
