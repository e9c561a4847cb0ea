import 'reflect-metadata';
import { KafkaCallClient, kafkaSettings } from '@svc/messaging';
import { openServiceDatabase, refusalFor } from '@svc/database';
import { runService } from '@svc/http';
import { FollowedEnvironment } from '@svc/runtime/config';
import { type Logger } from '@svc/runtime/observability';
import { openRedis, RedisBuckets } from '@svc/redis';
import { CatalogSource } from './catalog/catalog-source';
import { readConfig } from './config';
import { EdgeModule } from './edge.module';
import { renderRouteError } from './http/render-route-error';
import { RedisLimiter } from './limits/redis-limiter';

const DATABASE_CONNECTIONS = 10;

/** The inference edge as a process of its own. */
runService('edge', () => {
  const config = readConfig();
  return {
    environment: config,
    renderError: renderRouteError,
    explainError: refusalFor,
    compose: async (base) => {
      const environment = new FollowedEnvironment();
      const database = await openServiceDatabase({
        url: config.SVC_DATABASE_URL,
        poolSize: DATABASE_CONNECTIONS,
        masterKey: config.SVC_MASTER_KEY,
        logger: base.logger,
      });
      const catalog = new CatalogSource({
        files: config.SVC_CATALOG_FILE,
        environment: environment.variables,
        logger: base.logger,
      });
      environment.follow(catalog, { logger: base.logger });
      const redis = await openRedis({ url: config.SVC_REDIS_URL, logger: base.logger });
      return {
        module: EdgeModule.register({
          ...base,
          database,
          catalog,
          environment: environment.variables,
          baseUrl: config.SVC_BASE_URL,
          masterKey: config.SVC_MASTER_KEY,
          endUsersPerDay: config.SVC_END_USERS_PER_DAY,
          prices: { priceBps: config.SVC_PRICE_BPS, ownCredentialBps: config.SVC_OWN_CREDENTIAL_BPS },
          limiter: new RedisLimiter(new RedisBuckets(redis)),
          ...callsOf(config, base.logger),
        }),
        dependencies: [
          { name: 'postgresql', check: () => database.pool.query('select 1') },
          { name: 'redis', check: () => redis.ping() },
        ],
        close: async () => {
          redis.close();
          await database.close();
        },
      };
    },
  };
});

function callsOf({ SVC_KAFKA_BROKERS, ...others }: ReturnType<typeof readConfig>, logger: Logger) {
  if (SVC_KAFKA_BROKERS === undefined) return {};
  const settings = kafkaSettings({ SVC_KAFKA_BROKERS, ...others });
  return { calls: new KafkaCallClient({ ...settings, clientId: 'svc-edge', logger }) };
}
