import 'reflect-metadata';
import { parseCatalogFiles } from '@svc/catalog';
import { openFineTuningProvider } from '@svc/fine-tuning/providers';
import { KafkaEventClient, kafkaSettings } from '@svc/messaging';
import { openServiceDatabase, type Database } from '@svc/database';
import { openSettlement } from '@svc/payments/work';
import { runService } from '@svc/http';
import { followConfig, FollowedEnvironment, followFiles } from '@svc/runtime/config';
import { type Registry } from '@svc/runtime/observability';
import { openObjectStore, storageSettings } from '@svc/storage';
import { openStripe, paymentSettings } from '@svc/payments/stripe';
import { readConfig } from './config';
import { WorkerModule } from './worker.module';

const DATABASE_CONNECTIONS = 10;

interface PaymentParts {
  readonly database: Database;
  readonly metrics: Registry;
}

/** The worker as a process of its own. */
runService('worker', () => {
  const config = readConfig();
  return {
    environment: config,
    compose: async (base) => {
      const database = await openServiceDatabase({
        url: config.SVC_DATABASE_URL,
        poolSize: DATABASE_CONNECTIONS,
        masterKey: config.SVC_MASTER_KEY,
        logger: base.logger,
      });
      const environment = new FollowedEnvironment();
      const files = config.SVC_CATALOG_FILE;
      const catalog = followFiles({ files, environment, parse: parseCatalogFiles, logger: base.logger });
      const events = new KafkaEventClient({
        ...kafkaSettings(config),
        clientId: 'svc-worker',
        logger: base.logger,
      });
      return {
        module: WorkerModule.register({
          ...base,
          database,
          events,
          masterKey: config.SVC_MASTER_KEY,
          requestMonthsKept: config.SVC_REQUEST_RETENTION_MONTHS ?? null,
          organizationMetrics: config.SVC_ORGANIZATION_METRICS,
          incidentAfterSeconds: config.SVC_INCIDENT_AFTER_SECONDS,
          catalog: () => catalog.current(),
          environment: environment.variables,
          alertTickSeconds: config.SVC_ALERT_TICK_SECONDS,
          fineTuning: {
            pollSeconds: config.SVC_FINE_TUNING_POLL_SECONDS,
            prices: { priceBps: config.SVC_PRICE_BPS, ownCredentialBps: config.SVC_OWN_CREDENTIAL_BPS },
            open: openFineTuningProvider,
          },
          store: await openObjectStore(storageSettings(config)),
          exports: {
            rowsMax: config.SVC_EXPORT_MAX_ROWS,
            retentionDays: config.SVC_EXPORT_RETENTION_DAYS,
            workShare: config.SVC_EXPORT_WORK_PERCENT,
          },
          payments: await paymentsOf(
            followConfig({ read: readConfig, initial: config, logger: base.logger }),
            { ...base, database },
          ),
        }),
        dependencies: [
          { name: 'postgresql', check: () => database.pool.query('select 1') },
          { name: 'kafka', check: () => events.ping() },
        ],
        close: async () => {
          await events.close();
          await database.close();
        },
      };
    },
  };
});

/** @param current the configuration as it is now. @returns null where payments are off. */
async function paymentsOf(current: typeof readConfig, parts: PaymentParts) {
  const config = current();
  const simulator = { url: config.SVC_SIMULATOR_URL };
  const settings = paymentSettings(config, simulator);
  if (settings === null) return null;
  const provider = await openStripe(() => paymentSettings(current(), simulator) ?? settings);
  const { SVC_BASE_URL: baseUrl, SVC_PAYMENT_RECONCILE_SECONDS: reconcileSeconds } = config;
  return { provider, settlement: openSettlement({ ...parts, provider, baseUrl, reconcileSeconds }) };
}
