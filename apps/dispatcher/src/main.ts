import 'reflect-metadata';
import { KafkaEventServer, kafkaSettings } from '@svc/messaging';
import { openServiceDatabase, ParkedMessageStore } from '@svc/database';
import { openConfiguredMailer, runService } from '@svc/http';
import { followConfig } from '@svc/runtime/config';
import { systemClock } from '@svc/runtime';
import { readConfig } from './config';
import { DispatcherModule } from './dispatcher.module';

const DATABASE_CONNECTIONS = 10;

/** The webhook dispatcher as a process of its own. */
runService('dispatcher', () => {
  const config = readConfig();
  const { SVC_WEBHOOK_RETRY_DELAYS: retryDelaysSeconds } = config;
  return {
    environment: config,
    compose: async (base) => {
      const database = await openServiceDatabase({
        url: config.SVC_DATABASE_URL,
        poolSize: DATABASE_CONNECTIONS,
        masterKey: config.SVC_MASTER_KEY,
        logger: base.logger,
      });
      const events = new KafkaEventServer({
        ...base,
        parking: new ParkedMessageStore(database),
        ...kafkaSettings(config),
        clientId: 'svc-dispatcher',
      });
      const current = followConfig({ read: readConfig, initial: config, logger: base.logger });
      const mailer = await openConfiguredMailer(current);
      return {
        module: DispatcherModule.register({
          ...base,
          database,
          masterKey: config.SVC_MASTER_KEY,
          baseUrl: config.SVC_BASE_URL,
          clock: systemClock,
          allowPrivate: config.SVC_WEBHOOK_ALLOW_PRIVATE,
          ...(mailer && { mailer }),
          ...(retryDelaysSeconds === undefined ? {} : { retryDelaysSeconds }),
        }),
        events,
        dependencies: [
          { name: 'postgresql', check: () => database.pool.query('select 1') },
          { name: 'kafka', check: () => events.ping() },
        ],
        close: () => database.close(),
      };
    },
  };
});
