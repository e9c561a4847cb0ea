import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { CatalogSource } from '@svc/edge';
import { secretHash } from '@svc/access';
import { createLogger, type Logger } from '@svc/runtime/observability';
import { openConfiguredMailer } from '@svc/http';
import { followConfig, FollowedEnvironment } from '@svc/runtime/config';
import { logProcessEvents, stopOnSignal, systemClock } from '@svc/runtime';
import { migrate, openServiceDatabase, whenDatabaseAnswers } from '@svc/database';
import { openFineTuningProvider } from '@svc/fine-tuning/providers';
import { startEmbeddedPostgres } from '@svc/database/embedded';
import { kafkaSettings } from '@svc/messaging';
import { openRedis, type RedisConnection } from '@svc/redis';
import { startSimulator } from '@svc/simulator';
import { openObjectStore, storageSettings } from '@svc/storage';
import { openStripe, paymentSettings } from '@svc/payments/stripe';
import { banner, readyLine, type ReadyReport } from './banner';
import { bootstrapInstallation } from './bootstrap';
import { compose } from './compose';
import { readConfig, type AllInOneConfig } from './config';
import { DataDir } from './data-dir';
import { listeningPort } from './listening-port';
import { step } from './start-step';
import { LogFile } from './terminal-log/log-file';
import { terminalLog } from './terminal-log/terminal-log';

const DATABASE_CONNECTIONS = 10;

/**
 * Starts every service in one process on one port, over an embedded PostgreSQL
 * (docs/configuration.md#one-process-or-one-for-each-service).
 */
export async function startAllInOne(): Promise<void> {
  // The environment is checked first, so that a refused start has made nothing.
  const config = readConfig();
  const { port, release } = await listeningPort(config.SVC_PORT, config.SVC_HOST);
  const dataDir = new DataDir(config.SVC_DATA_DIR);
  const logger = openLog(config, dataDir);
  const simulator = await startOwnSimulator(config, port);
  const environment = new FollowedEnvironment({ SVC_SIMULATOR_URL: simulator.url });
  const catalog = catalogFrom(config, environment, logger);
  await dataDir.prepare();
  const redis = await openSharedRedis(config, logger);
  const baseUrl = config.SVC_BASE_URL?.replace(/\/+$/, '') ?? `http://localhost:${String(port)}`;
  const postgres = await startPostgres(config, dataDir);
  let stop = () => postgres.stop();
  stopOnSignal(logger, () => stop());
  try {
    const server = { url: postgres.url, logger };
    await step('migrating the database', () => whenDatabaseAnswers(server, () => migrate(postgres.url)));
    const masterKey = config.SVC_MASTER_KEY ?? (await dataDir.masterKey());
    const database = await openServiceDatabase({ ...server, poolSize: DATABASE_CONNECTIONS, masterKey });
    const current = followConfig({ read: readConfig, initial: config, logger });
    const services = await step('starting the services', async () =>
      compose({
        logger,
        database,
        redis,
        masterKey,
        baseUrl,
        proxies: config.SVC_TRUSTED_PROXIES,
        mailer: await openConfiguredMailer(current),
        kafka: kafkaOf(config),
        webhooks: webhookSettings(config),
        worker: workerSettings(config),
        store: await openObjectStore(storageSettings(config)),
        ...callerSettings(config),
        endpointSliceSeconds: config.SVC_ENDPOINT_SLICE_SECONDS,
        payments: await openPayments(current, simulator),
        ...(await operatorsTokens(config, dataDir)),
        catalog,
        environment: environment.variables,
      }),
    );
    // This step comes last because its secrets are printed once: a first start that fails must not have made them.
    const installation = await whenDatabaseAnswers(server, () => bootstrapInstallation(database, config));
    const platform_token = config.SVC_PLATFORM_TOKEN === undefined ? await dataDir.newPlatformToken() : null;
    const report = { base_url: baseUrl, ...installation, platform_token };
    await noteFirstSecrets(report, dataDir);
    await release();
    await services.app.listen(port, config.SVC_HOST);

    stop = async () => {
      await services.close();
      await simulator.close();
      redis?.close();
      await database.close();
      await postgres.stop();
    };
    tell(report, { simulatorUrl: simulator.url, isTestMode: config.SVC_PAYMENTS === 'test' }, dataDir);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

const webhookSettings = (config: AllInOneConfig) => ({
  allowPrivate: config.SVC_WEBHOOK_ALLOW_PRIVATE,
  retryDelaysSeconds: config.SVC_WEBHOOK_RETRY_DELAYS,
});

const pricesOf = (config: AllInOneConfig) => ({
  priceBps: config.SVC_PRICE_BPS,
  ownCredentialBps: config.SVC_OWN_CREDENTIAL_BPS,
});

const callerSettings = (config: AllInOneConfig) => ({
  management: {
    statusPage: config.SVC_STATUS_PAGE,
    operatorContact: config.SVC_OPERATOR_CONTACT,
    fileMaxBytes: config.SVC_FILE_MAX_BYTES,
    prices: pricesOf(config),
  },
  managementCallsPerMinute: config.SVC_MANAGEMENT_RPM,
  edge: { endUsersPerDay: config.SVC_END_USERS_PER_DAY, prices: pricesOf(config) },
});

const workerSettings = (config: AllInOneConfig) => ({
  requestMonthsKept: config.SVC_REQUEST_RETENTION_MONTHS ?? null,
  organizationMetrics: config.SVC_ORGANIZATION_METRICS,
  incidentAfterSeconds: config.SVC_INCIDENT_AFTER_SECONDS,
  alertTickSeconds: config.SVC_ALERT_TICK_SECONDS,
  fineTuning: {
    pollSeconds: config.SVC_FINE_TUNING_POLL_SECONDS,
    prices: pricesOf(config),
    open: openFineTuningProvider,
  },
  exports: {
    rowsMax: config.SVC_EXPORT_MAX_ROWS,
    retentionDays: config.SVC_EXPORT_RETENTION_DAYS,
    workShare: config.SVC_EXPORT_WORK_PERCENT,
  },
});

/** JSON lines on stdout; where stdout is a terminal, in a file. */
function openLog(config: AllInOneConfig, dataDir: DataDir): Logger {
  const options = { service: 'svc', level: config.SVC_LOG_LEVEL };
  const { stdout } = process;
  const logger = stdout.isTTY
    ? createLogger(
        options,
        terminalLog((text) => stdout.write(text), new LogFile(dataDir.logFile)),
      )
    : createLogger(options);
  logProcessEvents(logger);
  return logger;
}

async function noteFirstSecrets(report: ReadyReport, dataDir: DataDir): Promise<void> {
  const secrets = {
    SVC_API_KEY: report.api_key,
    SVC_OWNER_PASSWORD: report.owner_password,
    SVC_PLATFORM_TOKEN: report.platform_token,
  };
  const known = Object.entries(secrets).flatMap(([name, secret]) =>
    secret === null ? [] : [[name, secret]],
  );
  if (known.length === 0) return;
  const { base_url: SVC_BASE_URL, owner_email: SVC_OWNER_EMAIL } = report;
  const entries = { SVC_BASE_URL, SVC_OWNER_EMAIL, ...(Object.fromEntries(known) as Record<string, string>) };
  await dataDir.noteFirstSecrets(entries, new Date(systemClock.now()));
}

function tell(
  report: ReadyReport,
  simulated: { readonly simulatorUrl: string; readonly isTestMode: boolean },
  dataDir: DataDir,
): void {
  const secretsFile = dataDir.hasFirstSecrets ? relative('', dataDir.firstSecretsFile) : null;
  const logFile = process.stdout.isTTY ? relative('', dataDir.logFile) : null;
  process.stdout.write(`${banner(report, { ...simulated, secretsFile, logFile })}\n${readyLine(report)}\n`);
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

function catalogFrom(
  config: AllInOneConfig,
  environment: FollowedEnvironment,
  logger: Logger,
): CatalogSource {
  const { variables } = environment;
  const catalog = new CatalogSource({ files: config.SVC_CATALOG_FILE, environment: variables, logger });
  environment.follow(catalog, { logger });
  return catalog;
}

interface OwnSimulator extends Stoppable {
  /** The secret that it signs the events of payments with. It forgets its payments when it stops, and so may the secret. */
  readonly webhookSecret: string;
  close(): Promise<void>;
}

async function startOwnSimulator(config: AllInOneConfig, port: number): Promise<OwnSimulator> {
  const made = `whsec_${randomBytes(32).toString('hex')}`;
  // Of two given ones, either is taken.
  const [webhookSecret = made] = config.SVC_STRIPE_WEBHOOK_SECRET?.split(',') ?? [];
  const url = config.SVC_SIMULATOR_URL;
  if (url !== undefined) return { url, webhookSecret, close: () => Promise.resolve() };
  const host = ['0.0.0.0', '::'].includes(config.SVC_HOST) ? '127.0.0.1' : config.SVC_HOST;
  const webhookUrl = `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}/payments/stripe/webhook`;
  const paymentWebhook = { url: webhookUrl, secret: webhookSecret };
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, paymentWebhook });
  return { url: simulator.url, webhookSecret, close: () => simulator.close() };
}

async function openPayments(current: typeof readConfig, simulator: OwnSimulator) {
  const config = current();
  const settings = paymentSettings(config, simulator);
  if (settings === null) return null;
  const provider = await openStripe(() => paymentSettings(current(), simulator) ?? settings);
  return { provider, reconcileSeconds: config.SVC_PAYMENT_RECONCILE_SECONDS };
}

function kafkaOf({ SVC_KAFKA_BROKERS, ...others }: AllInOneConfig) {
  return SVC_KAFKA_BROKERS === undefined ? null : kafkaSettings({ SVC_KAFKA_BROKERS, ...others });
}

async function operatorsTokens(config: AllInOneConfig, dataDir: DataDir) {
  const { SVC_PLATFORM_TOKEN: given, SVC_METRICS_TOKEN: metricsToken } = config;
  return {
    metricsToken: metricsToken ?? (await dataDir.metricsToken()),
    platformTokenSha256: (): Promise<Buffer> =>
      given === undefined ? dataDir.platformTokenSha256() : Promise.resolve(secretHash(given)),
  };
}
