import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { secretHash } from '@svc/identity';
import {
  createLogger,
  openMailer,
  readEnvironment,
  stopOnSignal,
  type Logger,
  type Mailer,
} from '@svc/platform';
import { migrate, openDatabase, requireMasterKey } from '@svc/persistence';
import { startEmbeddedPostgres } from '@svc/persistence/embedded';
import { kafkaSettings } from '@svc/messaging';
import { openRedis, type RedisConnection } from '@svc/redis';
import { startSimulator } from '@svc/simulator';
import { banner, readyLine } from './banner';
import { bootstrapInstallation } from './bootstrap';
import { compose } from './compose';
import { readConfig, type AllInOneConfig } from './config';
import { DataDir } from './data-dir';

const DATABASE_CONNECTIONS = 10;

/** Every service in one process on one port, over an embedded PostgreSQL (contract.md section 1). */
export async function startAllInOne(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ service: 'svc', level: config.SVC_LOG_LEVEL });
  const port = await choosePort(config);
  const baseUrl = config.SVC_BASE_URL?.replace(/\/+$/, '') ?? `http://localhost:${String(port)}`;
  const dataDir = new DataDir(config.SVC_DATA_DIR);
  await dataDir.prepare();

  const postgres = await startPostgres(config, dataDir);
  try {
    await step('migrating the database', () => migrate(postgres.url));
    const database = openDatabase({ url: postgres.url, poolSize: DATABASE_CONNECTIONS });
    const masterKey = config.SVC_MASTER_KEY ?? (await dataDir.masterKey());
    await requireMasterKey(database, masterKey);
    const redis = await openSharedRedis(config, logger);
    const simulator = await startOwnSimulator(config);
    const mailer = await openOwnMailer(config);
    const services = await step('starting the services', () =>
      compose({
        logger,
        database,
        redis,
        masterKey,
        baseUrl,
        proxies: config.SVC_TRUSTED_PROXIES,
        mailer,
        kafka: kafkaOf(config),
        webhooks: {
          allowPrivate: config.SVC_WEBHOOK_ALLOW_PRIVATE,
          retryDelaysSeconds: config.SVC_WEBHOOK_RETRY_DELAYS,
        },
        requestMonthsKept: config.SVC_REQUEST_RETENTION_MONTHS ?? null,
        platformTokenSha256: () => platformTokenSha256(config, dataDir),
        catalogFile: config.SVC_CATALOG_FILE,
        environment: { ...readEnvironment(), SVC_SIMULATOR_URL: simulator.url },
      }),
    );
    // Last, because its secrets are told once: a first start that fails must not have made them yet.
    const installation = await bootstrapInstallation(database, config);
    const platform_token = config.SVC_PLATFORM_TOKEN === undefined ? await dataDir.newPlatformToken() : null;
    await services.app.listen(port, config.SVC_HOST);

    stopOnSignal(logger, async () => {
      await services.close();
      await simulator.close();
      redis?.close();
      await database.close();
      await postgres.stop();
    });
    const report = { base_url: baseUrl, ...installation, platform_token };
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

async function openOwnMailer({
  SVC_SMTP_URL: smtpUrl,
  SVC_MAIL_FROM: from,
}: AllInOneConfig): Promise<Mailer | null> {
  return smtpUrl === undefined || from === undefined ? null : openMailer({ smtpUrl, from });
}

async function startOwnSimulator(config: AllInOneConfig): Promise<Stoppable & { close(): Promise<void> }> {
  const url = config.SVC_SIMULATOR_URL;
  if (url !== undefined) return { url, close: () => Promise.resolve() };
  return startSimulator({ host: '127.0.0.1', port: 0 });
}

function kafkaOf({ SVC_KAFKA_BROKERS, ...others }: AllInOneConfig) {
  return SVC_KAFKA_BROKERS === undefined ? null : kafkaSettings({ SVC_KAFKA_BROKERS, ...others });
}

async function platformTokenSha256(
  { SVC_PLATFORM_TOKEN: given }: AllInOneConfig,
  dataDir: DataDir,
): Promise<Buffer> {
  if (given === undefined) return dataDir.platformTokenSha256();
  return secretHash(given);
}

/**
 * The port to listen on, chosen now where it is 0, because the services must know their base URL. A taken one is said at
 * once, in one line, and not after everything else has been started.
 */
async function choosePort({ SVC_PORT, SVC_HOST }: AllInOneConfig): Promise<number> {
  const probe = createServer().listen(SVC_PORT, SVC_HOST);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  process.stdout.write(`  ${what}  ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
  return result;
}
