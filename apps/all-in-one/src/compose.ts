import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { authRoutes } from '@svc/auth';
import { CatalogSource, inferenceRoutes, RedisLimiter, renderRouteError } from '@svc/edge';
import { InProcessTransport, KafkaTransport, type EventTransport, type KafkaOptions } from '@svc/messaging';
import { KeyUseRecorder, knownCallers, ParkedMessageStore, type Database } from '@svc/persistence';
import {
  createHttpServer,
  createMetrics,
  mountHealth,
  MountedAdapter,
  nestLogger,
  systemClock,
  type Dependency,
  type Logger,
  type Mailer,
  type MasterKey,
  type Registry,
} from '@svc/platform';
import { healthRoutes } from '@svc/platform/api';
import { RedisBuckets, type RedisConnection } from '@svc/redis';
import { AllInOneModule } from './all-in-one.module';

/** What the services run on, once it is up. */
export interface Foundation {
  readonly logger: Logger;
  readonly database: Database;
  /** null: the limits are kept in this process, which serves alone. */
  readonly redis: RedisConnection | null;
  /** null: events are carried in this process. */
  readonly kafka: Pick<KafkaOptions, 'brokers' | 'prefix' | 'security'> | null;
  readonly masterKey: MasterKey;
  readonly platformTokenSha256: () => Promise<Buffer>;
  readonly catalogFile: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly baseUrl: string;
  /** null: nothing is mailed. */
  readonly mailer: Mailer | null;
  /** How many proxies stand before the server. */
  readonly proxies: number;
  readonly webhooks: WebhookSettings;
  /** As of the worker's. */
  readonly requestMonthsKept: number | null;
}

export interface WebhookSettings {
  readonly allowPrivate: boolean;
  readonly retryDelaysSeconds: readonly number[];
}

export interface ComposedServices {
  readonly app: NestFastifyApplication;
  /** Drains. */
  close(): Promise<void>;
}

/** Every service on one server, joined by in-process adapters. */
export async function compose(foundation: Foundation): Promise<ComposedServices> {
  const { logger, database, redis, masterKey, webhooks, baseUrl, environment } = foundation;
  const server = createHttpServer({
    logger,
    proxies: foundation.proxies,
    renderError: renderRouteError,
  });
  const metrics = createMetrics('svc');
  mountHealth(server, dependenciesOf(foundation), metrics);
  const clock = systemClock;
  const services = { server, database, logger, metrics, masterKey, baseUrl, clock };
  const catalog = new CatalogSource({ file: foundation.catalogFile, environment, logger });
  const keyUses = new KeyUseRecorder({ database, logger });
  const transport = transportOf(foundation, metrics);
  const app = await NestFactory.create<NestFastifyApplication>(
    AllInOneModule.register({
      api: {
        server,
        logger,
        baseUrl,
        ...knownCallers({ database, baseUrl, masterKey, noteKeyUse: keyUses.note }),
        platformTokenSha256: foundation.platformTokenSha256,
        otherRoutes: [inferenceRoutes, authRoutes, healthRoutes],
      },
      edge: {
        ...services,
        catalog,
        environment,
        ...(redis === null ? {} : { limiter: new RedisLimiter(new RedisBuckets(redis)) }),
      },
      management: {
        ...services,
        catalog: () => catalog.current(),
        allowPrivateWebhooks: webhooks.allowPrivate,
        ...(foundation.mailer === null ? {} : { mailer: foundation.mailer }),
      },
      auth: services,
      worker: { ...services, transport, requestMonthsKept: foundation.requestMonthsKept },
      dispatcher: { ...services, ...webhooks, transport },
    }),
    new MountedAdapter(server),
    { logger: nestLogger(logger), abortOnError: false },
  );
  await app.init();
  const close = async (): Promise<void> => {
    await app.close();
    await transport.close();
    await keyUses.stop();
  };
  return { app, close };
}

function transportOf({ kafka, database, logger }: Foundation, metrics: Registry): EventTransport {
  const consumption = { parking: new ParkedMessageStore(database), logger, metrics };
  if (kafka === null) return new InProcessTransport(consumption);
  return new KafkaTransport({ ...consumption, ...kafka, clientId: 'svc' });
}

function dependenciesOf({ database, redis }: Foundation): Dependency[] {
  return [
    { name: 'postgresql', check: () => database.pool.query('select 1') },
    ...(redis === null ? [] : [{ name: 'redis', check: () => redis.ping() }]),
  ];
}
