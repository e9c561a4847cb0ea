import 'reflect-metadata';
import { Module } from '@nestjs/common';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the document that this service gives out tells of them all
import { authRoutes, oauthControllers } from '@svc/auth';
// eslint-disable-next-line @nx/enforce-module-boundaries -- likewise
import { inferenceRoutes } from '@svc/edge';
import { secretHash } from '@svc/identity';
import { parseCatalog } from '@svc/inference';
import { KeyUseRecorder, knownCallers, openDatabase, requireMasterKey } from '@svc/persistence';
import { openMailer, readEnvironment, ReloadedFile, runService, systemClock } from '@svc/platform';
import { ApiModule, healthRoutes } from '@svc/platform/api';
import { readConfig } from './config';
import { ManagementModule } from './management.module';

const DATABASE_CONNECTIONS = 10;

@Module({})
class ManagementService {}

/** The management API as a process of its own. */
runService('management', () => {
  const config = readConfig();
  const {
    SVC_BASE_URL: baseUrl,
    SVC_MASTER_KEY: masterKey,
    SVC_SMTP_URL: smtpUrl,
    SVC_MAIL_FROM: from,
  } = config;
  return {
    environment: config,
    compose: async (base) => {
      const { server, logger } = base;
      const database = openDatabase({ url: config.SVC_DATABASE_URL, poolSize: DATABASE_CONNECTIONS });
      await requireMasterKey(database, masterKey);
      const clock = systemClock;
      const keyUses = new KeyUseRecorder({ database, logger });
      const file = config.SVC_CATALOG_FILE;
      const env = readEnvironment();
      const catalog = new ReloadedFile({ file, logger, parse: (text) => parseCatalog(text, { file, env }) });
      process.on('SIGHUP', () => {
        catalog.reload();
      });
      const mailer =
        smtpUrl === undefined || from === undefined ? {} : { mailer: await openMailer({ smtpUrl, from }) };
      return {
        module: {
          module: ManagementService,
          imports: [
            ApiModule.register({
              server,
              logger,
              baseUrl,
              ...knownCallers({ database, baseUrl, masterKey, noteKeyUse: keyUses.note }),
              platformTokenSha256: () => Promise.resolve(secretHash(config.SVC_PLATFORM_TOKEN)),
              otherRoutes: [inferenceRoutes, authRoutes, healthRoutes],
              otherControllers: oauthControllers,
            }),
            ManagementModule.register({
              ...base,
              ...mailer,
              database,
              clock,
              baseUrl,
              masterKey,
              allowPrivateWebhooks: config.SVC_WEBHOOK_ALLOW_PRIVATE,
              catalog: () => catalog.current(),
            }),
          ],
        },
        dependencies: [{ name: 'postgresql', check: () => database.pool.query('select 1') }],
        close: async () => {
          await keyUses.stop();
          await database.close();
        },
      };
    },
  };
});
