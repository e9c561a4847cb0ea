import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { ApiModule } from '@svc/api';
import { secretHash } from '@svc/access';
import { approvedCallQueue } from '@svc/approvals/work';
import { explainFailure, openServiceDatabase } from '@svc/database';
import { openKnownCallers } from '@svc/access/work';
import { openConfiguredMailer, runService } from '@svc/http';
import { followConfig } from '@svc/runtime/config';
import { AuthModule } from './auth.module';
import { readConfig } from './config';

const DATABASE_CONNECTIONS = 10;

@Module({})
class AuthService {}

/** Login and the authorization server as a process of their own. */
runService('auth', () => {
  const config = readConfig();
  const { SVC_BASE_URL: baseUrl, SVC_MASTER_KEY: masterKey } = config;
  return {
    environment: config,
    explainError: explainFailure,
    compose: async (base) => {
      const { server, logger, metrics } = base;
      const database = await openServiceDatabase({
        url: config.SVC_DATABASE_URL,
        poolSize: DATABASE_CONNECTIONS,
        masterKey,
        logger,
      });
      const current = followConfig({ read: readConfig, initial: config, logger });
      const mailer = await openConfiguredMailer(current);
      const callers = openKnownCallers({ database, baseUrl, masterKey, logger, metrics });
      return {
        module: {
          module: AuthService,
          imports: [
            ApiModule.register({
              server,
              logger,
              baseUrl,
              ...callers,
              approvedCalls: approvedCallQueue({ database, masterKey, logger, metrics }),
              managementCallsPerMinute: config.SVC_MANAGEMENT_RPM,
              platformTokenSha256: () => Promise.resolve(secretHash(config.SVC_PLATFORM_TOKEN)),
            }),
            AuthModule.register({ ...base, ...(mailer && { mailer }), database, masterKey, baseUrl }),
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
