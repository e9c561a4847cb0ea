import 'reflect-metadata';
import { kafkaSettings, KafkaTransport } from '@svc/messaging';
import { openDatabase, ParkedMessageStore, requireMasterKey } from '@svc/persistence';
import { runService } from '@svc/platform';
import { readConfig } from './config';
import { WorkerModule } from './worker.module';

const DATABASE_CONNECTIONS = 10;

/** What a clock drives, as a process of its own. */
runService('worker', () => {
  const config = readConfig();
  return {
    environment: config,
    compose: async (base) => {
      const database = openDatabase({ url: config.SVC_DATABASE_URL, poolSize: DATABASE_CONNECTIONS });
      await requireMasterKey(database, config.SVC_MASTER_KEY);
      const transport = new KafkaTransport({
        ...base,
        parking: new ParkedMessageStore(database),
        ...kafkaSettings(config),
        clientId: 'svc-worker',
      });
      return {
        module: WorkerModule.register({
          ...base,
          database,
          transport,
          masterKey: config.SVC_MASTER_KEY,
          requestMonthsKept: config.SVC_REQUEST_RETENTION_MONTHS ?? null,
        }),
        dependencies: [
          { name: 'postgresql', check: () => database.pool.query('select 1') },
          { name: 'kafka', check: () => transport.ping() },
        ],
        close: async () => {
          await transport.close();
          await database.close();
        },
      };
    },
  };
});
