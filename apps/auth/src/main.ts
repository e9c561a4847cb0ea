import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { secretHash } from '@svc/identity';
import { KeyUseRecorder, knownCallers, openDatabase, requireMasterKey } from '@svc/persistence';
import { runService } from '@svc/platform';
import { ApiModule } from '@svc/platform/api';
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
    compose: async (base) => {
      const { server, logger } = base;
      const database = openDatabase({ url: config.SVC_DATABASE_URL, poolSize: DATABASE_CONNECTIONS });
      await requireMasterKey(database, masterKey);
      const keyUses = new KeyUseRecorder({ database, logger });
      return {
        module: {
          module: AuthService,
          imports: [
            ApiModule.register({
              server,
              logger,
              baseUrl,
              ...knownCallers({ database, baseUrl, masterKey, noteKeyUse: keyUses.note }),
              platformTokenSha256: () => Promise.resolve(secretHash(config.SVC_PLATFORM_TOKEN)),
            }),
            AuthModule.register({ ...base, database, masterKey, baseUrl }),
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
