import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { RedisLimiter } from '@svc/edge';
import {
  createHttpServer,
  createLogger,
  createMetrics,
  mountHealth,
  MountedAdapter,
  nestLogger,
  type Dependency,
  type Logger,
} from '@svc/platform';
import { migrate, openDatabase, type Database } from '@svc/persistence';
import { startEmbeddedPostgres } from '@svc/persistence/embedded';
import { renderError, type Operation } from '@svc/protocol';
import { openRedis, RedisBuckets, type RedisConnection } from '@svc/redis';
import { startSimulator } from '@svc/simulator';
import { AllInOneModule } from './all-in-one.module';
import { banner, readyLine } from './banner';
import { bootstrapInstallation } from './bootstrap';
import { readConfig, readEnvironment, type AllInOneConfig } from './config';
import { DataDir } from './data-dir';

const DATABASE_CONNECTIONS = 10;

/** Every service in one process on one port, over an embedded PostgreSQL (contract.md section 1). */
export async function startAllInOne(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ service: 'svc', level: config.SVC_LOG_LEVEL });
  await refuseTakenPort(config);
  const dataDir = new DataDir(config.SVC_DATA_DIR);
  await dataDir.prepare();

  const postgres = await startPostgres(config, dataDir);
  try {
    await step('migrating the database', () => migrate(postgres.url));
    const database = openDatabase({ url: postgres.url, poolSize: DATABASE_CONNECTIONS });
    const masterKey = config.SVC_MASTER_KEY ?? (await dataDir.masterKey());
    const redis = await openSharedRedis(config, logger);
    const simulator = await startOwnSimulator(config);
    const app = await step('starting the services', () =>
      createApp(config, logger, { database, redis, masterKey }, simulator.url),
    );
    // Last, because its secrets are told once: a first start that fails must not have made them yet.
    const installation = await bootstrapInstallation(database, config, dataDir);
    const localUrl = await listen(app, config);
    const baseUrl = config.SVC_BASE_URL ?? localUrl;

    stopOnSignal(logger, async () => {
      await app.close();
      await simulator.close();
      redis?.close();
      await database.close();
      await postgres.stop();
    });
    const report = { base_url: baseUrl, ...installation };
    process.stdout.write(`${banner(report, simulator.url)}\n${readyLine(report)}\n`);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

interface Stoppable {
  readonly url: string;
}

async function startPostgres(
  config: AllInOneConfig,
  dataDir: DataDir,
): Promise<Stoppable & { stop(): Promise<void> }> {
  if (config.SVC_DATABASE_URL !== undefined)
    return { url: config.SVC_DATABASE_URL, stop: () => Promise.resolve() };
  const postgres = await step('starting PostgreSQL', () => startEmbeddedPostgres({ dataDir: dataDir.path }));
  await dataDir.noteDatabaseUrl(postgres.url);
  return postgres;
}

/** null: the limits are then kept in this process, which serves alone. */
async function openSharedRedis(config: AllInOneConfig, logger: Logger): Promise<RedisConnection | null> {
  const url = config.SVC_REDIS_URL;
  return url === undefined ? null : step('connecting to Redis', () => openRedis({ url, logger }));
}

async function startOwnSimulator(config: AllInOneConfig): Promise<Stoppable & { close(): Promise<void> }> {
  const url = config.SVC_SIMULATOR_URL;
  if (url !== undefined) return { url, close: () => Promise.resolve() };
  return startSimulator({ host: '127.0.0.1', port: 0 });
}

async function createApp(
  config: AllInOneConfig,
  logger: Logger,
  { database, redis, masterKey }: { database: Database; redis: RedisConnection | null; masterKey: Buffer },
  simulatorUrl: string,
): Promise<NestFastifyApplication> {
  const server = createHttpServer({
    logger,
    renderError: (path, envelope) => renderError(operationAt(path), envelope),
  });
  const environment = { ...readEnvironment(), SVC_SIMULATOR_URL: simulatorUrl };
  const catalogFile = config.SVC_CATALOG_FILE;
  const dependencies: Dependency[] = [
    { name: 'postgresql', check: () => database.pool.query('select 1') },
    ...(redis === null ? [] : [{ name: 'redis', check: () => redis.ping() }]),
  ];
  const metrics = createMetrics('svc');
  mountHealth(server, dependencies, metrics);
  const limiter = redis === null ? {} : { limiter: new RedisLimiter(new RedisBuckets(redis)) };
  const app = await NestFactory.create<NestFastifyApplication>(
    AllInOneModule.register({
      server,
      database,
      logger,
      metrics,
      catalogFile,
      environment,
      masterKey,
      ...limiter,
    }),
    new MountedAdapter(server),
    { logger: nestLogger(logger), abortOnError: false },
  );
  await app.init();
  return app;
}

/** The messages route's errors say more than the envelope (contract.md section 10). */
const operationAt = (path: string): Operation | null =>
  /^(\/v1){1,2}\/messages(\/|$)/.test(path) ? 'messages' : null;

/** Said at once, in one line, and not after everything else has been started. */
async function refuseTakenPort({ SVC_PORT, SVC_HOST }: AllInOneConfig): Promise<void> {
  const probe = createServer().listen(SVC_PORT, SVC_HOST);
  await once(probe, 'listening');
  await once(probe.close(), 'close');
}

async function listen(app: NestFastifyApplication, { SVC_PORT, SVC_HOST }: AllInOneConfig): Promise<string> {
  await app.listen(SVC_PORT, SVC_HOST);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://localhost:${String(port)}`;
}

/** SIGTERM drains: no new work, running streams finish, the books and the outbox are flushed (contract.md section 1). */
function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A second signal must not cut the draining short: npm and a terminal may each send one.
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'stopped uncleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  process.stdout.write(`  ${what}  ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
  return result;
}
