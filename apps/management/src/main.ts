import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { ApiModule, fineTuningRoutes, healthRoutes, inferenceRoutes, sessionRoutes } from '@svc/api';
import { oauthProtocolRoutes, oauthResources } from '@svc/api/oauth-routes';
import { secretHash } from '@svc/access';
import { parseCatalogFiles } from '@svc/catalog';
import { approvedCallQueue } from '@svc/approvals/work';
import { explainFailure, openServiceDatabase, type Database } from '@svc/database';
import { openKnownCallers } from '@svc/access/work';
import { openSettlement } from '@svc/payments/work';
import { allowCrossOrigin, openConfiguredMailer, runService } from '@svc/http';
import { followConfig, followFiles } from '@svc/runtime/config';
import { systemClock } from '@svc/runtime';
import { type Registry } from '@svc/runtime/observability';
import { openObjectStore, storageSettings } from '@svc/storage';
import { openStripe, paymentSettings } from '@svc/payments/stripe';
import { type FastifyInstance } from 'fastify';
import { readConfig } from './config';
import { ManagementModule } from './management.module';

const DATABASE_CONNECTIONS = 10;

interface PaymentParts {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly metrics: Registry;
}

@Module({})
class ManagementService {}

/** Routes of other services, and of other APIs here, in the document. */
const otherRoutes = [
  inferenceRoutes,
  fineTuningRoutes,
  sessionRoutes,
  oauthProtocolRoutes,
  healthRoutes({ metricsNeedToken: false }),
];

/** The management API as a process of its own. */
runService('management', () => {
  const config = readConfig();
  const { SVC_BASE_URL: baseUrl, SVC_MASTER_KEY: masterKey } = config;
  return {
    environment: config,
    explainError: explainFailure,
    compose: async (base) => {
      const { server, logger, metrics } = base;
      const { SVC_DATABASE_URL: url } = config;
      const database = await openServiceDatabase({ url, poolSize: DATABASE_CONNECTIONS, masterKey, logger });
      const callers = openKnownCallers({ database, baseUrl, masterKey, logger, metrics });
      const catalog = followFiles({ files: config.SVC_CATALOG_FILE, parse: parseCatalogFiles, logger });
      allowCrossOrigin(server);
      const current = followConfig({ read: readConfig, initial: config, logger });
      const mailer = await openConfiguredMailer(current);
      const payments = await paymentsOf(current, { ...base, database });
      return {
        module: {
          module: ManagementService,
          imports: [
            ApiModule.register({
              server,
              logger,
              baseUrl,
              ...callers,
              approvedCalls: approvedCallQueue({ database, masterKey, logger, metrics }),
              managementCallsPerMinute: config.SVC_MANAGEMENT_RPM,
              platformTokenSha256: () => Promise.resolve(secretHash(config.SVC_PLATFORM_TOKEN)),
              otherRoutes,
              otherResources: oauthResources,
            }),
            ManagementModule.register({
              ...base,
              ...(mailer && { mailer }),
              database,
              clock: systemClock,
              store: await openObjectStore(storageSettings(config)),
              baseUrl,
              masterKey,
              allowPrivateWebhooks: config.SVC_WEBHOOK_ALLOW_PRIVATE,
              payments,
              statusPage: config.SVC_STATUS_PAGE,
              operatorContact: config.SVC_OPERATOR_CONTACT,
              fileMaxBytes: config.SVC_FILE_MAX_BYTES,
              prices: { priceBps: config.SVC_PRICE_BPS, ownCredentialBps: config.SVC_OWN_CREDENTIAL_BPS },
              endpointSliceSeconds: config.SVC_ENDPOINT_SLICE_SECONDS,
              catalog: () => catalog.current(),
            }),
          ],
        },
        dependencies: [{ name: 'postgresql', check: () => database.pool.query('select 1') }],
        close: async () => {
          await callers.stop();
          await database.close();
        },
      };
    },
  };
});

/** The configuration as it is now. */
type CurrentConfig = typeof readConfig;

/** @returns undefined where payments are off. */
async function paymentsOf(current: CurrentConfig, parts: PaymentParts) {
  const config = current();
  const simulator = { url: config.SVC_SIMULATOR_URL };
  const settings = paymentSettings(config, simulator);
  if (settings === null) return undefined;
  const provider = await openStripe(() => paymentSettings(current(), simulator) ?? settings);
  const { SVC_BASE_URL: baseUrl, SVC_PAYMENT_RECONCILE_SECONDS: reconcileSeconds } = config;
  return {
    ...parts,
    provider,
    settlement: openSettlement({ ...parts, provider, baseUrl, reconcileSeconds }),
  };
}
