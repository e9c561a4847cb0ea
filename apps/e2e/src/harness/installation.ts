import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, firstMatch, killed, outputOf, spawnApp, spawnProgram } from './app-process';
import { freePorts } from '@svc/testing';
import { InstallationFolder, type InstallationSecrets } from './installation-folder';
import { dropDatabase, emptyDatabase, newDatabase, startOwnServers, type OwnServers } from './real-servers';
import { PAYMENT_WEBHOOK_SECRET, serversOfThisRun, type RealServers } from './config';
import { startService, type ServiceProcess } from './service-process';
import { startSimulator, type Simulator } from './simulator-process';
import { installedOf, type ReadyLine, type Svc, type SvcOptions } from './svc';
import { removeFolder, temporaryFolder } from './temporary-folder';

export type { ServiceProcess } from './service-process';

interface InstallationOptions extends SvcOptions {
  readonly edges?: number;
  readonly dispatchers?: number;
  readonly workers?: number;
  /** Starts its own real servers, which it may kill; else it uses a database of its own on the servers of the run. */
  readonly ownServers?: boolean;
  /** The folder of another build, which makes the database and whose services are started. Default: that of this version. */
  readonly build?: string;
  /** Where the proxy finds a service. Default: at its processes. */
  readonly addressOf?: (name: string, urls: readonly string[]) => string;
  /** Additional or other variables for an edge, such as its own proxy to a server. */
  readonly edgeEnvironment?: (nth: number, env: Environment) => Promise<Environment>;
}

type Environment = Readonly<Record<string, string>>;

/** Every service as a process of its own over real servers, behind one proxy. */
export interface Installation extends Svc {
  readonly edges: readonly ServiceProcess[];
  readonly dispatchers: readonly ServiceProcess[];
  readonly management: ServiceProcess;
  readonly auth: ServiceProcess;
  readonly console: ServiceProcess;
  readonly workers: readonly ServiceProcess[];
  readonly databaseUrl: string;
  /** The variables that every service was started with. */
  readonly environment: Environment;
  /** With `ownServers`. */
  readonly servers?: OwnServers;
  /** Of the shipped catalog. */
  readonly simulator?: Simulator;
}

const PROXY_READY = /^(http:\/\/\S+)$/m;
const SET_UP_DONE = /^SVC_READY (\{.*\})$/m;

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const home = await temporaryFolder();
  const dataDir = options.dataDir ?? join(home, 'data');
  const ownServers = options.ownServers === true ? await startOwnServers() : undefined;
  const servers = ownServers ?? serversOfThisRun();
  const { isNew, ...secrets } = await secretsOf(dataDir, servers, options);
  const ports = await portsOf(options);
  const simulator = await simulatorFor(ports, options);
  const proxy = await startProxy(ports, options);
  const env = await environment({ home, servers, secrets, simulator, baseUrl: proxy.baseUrl, options });
  const ready = readyLine(await setUp(env, options.build), isNew ? secrets.platformToken : null, options);
  const services = await startServices(ports, env, options);
  const all = [
    ...services.edges,
    services.management,
    services.auth,
    services.console,
    ...services.dispatchers,
    ...services.workers,
  ];
  const cleanUp = async () => {
    await proxy.stop();
    await simulator?.stop();
    if (options.dataDir === undefined && ownServers === undefined && isNew)
      await dropDatabase(secrets.databaseUrl);
    await ownServers?.remove();
    await removeFolder(home);
  };
  return {
    ...services,
    ...(ownServers === undefined ? {} : { servers: ownServers }),
    ...installedOf(ready),
    databaseUrl: secrets.databaseUrl,
    environment: env,
    ...(simulator === undefined ? {} : { simulator }),
    dataDir,
    get pid() {
      return services.edges[0]?.pid ?? 0;
    },
    // The proxy last: answers still come through it.
    stop: async () => {
      const stopping = Promise.all(all.map((service) => service.stop()));
      return (await stopping.finally(cleanUp)).find((code) => code !== 0) ?? 0;
    },
    kill: async () => {
      await Promise.all([proxy.kill(), ...all.map((service) => service.kill())]).finally(cleanUp);
    },
    logs: () => all.map((service) => service.logs()).join(''),
  };
}

/** The secrets in the folder, else the given ones, else those of a new set-up. */
async function secretsOf(
  dataDir: string,
  servers: RealServers,
  { env = {}, ownServers, build }: InstallationOptions,
): Promise<InstallationSecrets & { readonly isNew: boolean }> {
  const folder = new InstallationFolder(dataDir);
  const known = await folder.read();
  const made = build === undefined ? newDatabase : emptyDatabase;
  const secrets =
    known ??
    (await folder.install(
      env.SVC_DATABASE_URL ?? (ownServers === true ? servers.databaseUrl : await made(servers.databaseUrl)),
    ));
  return {
    isNew: known === null && env.SVC_DATABASE_URL === undefined,
    databaseUrl: secrets.databaseUrl,
    masterKey: env.SVC_MASTER_KEY ?? secrets.masterKey,
    platformToken: env.SVC_PLATFORM_TOKEN ?? secrets.platformToken,
  };
}

/** Starts the simulator of the shipped catalog, which is part of the all-in-one. */
async function simulatorFor(
  { simulator: port, management }: Ports,
  { catalog, env }: InstallationOptions,
): Promise<Simulator | undefined> {
  if (catalog !== undefined || env?.SVC_SIMULATOR_URL !== undefined) return undefined;
  const paymentWebhookUrl = `http://127.0.0.1:${String(management)}/payments/stripe/webhook`;
  return startSimulator({ port, paymentWebhook: { url: paymentWebhookUrl, secret: PAYMENT_WEBHOOK_SECRET } });
}

interface Ports {
  readonly edges: readonly number[];
  readonly dispatchers: readonly number[];
  readonly workers: readonly number[];
  readonly management: number;
  readonly auth: number;
  readonly console: number;
  readonly simulator: number;
}

async function portsOf({ edges = 1, dispatchers = 1, workers = 1 }: InstallationOptions): Promise<Ports> {
  const ports = await freePorts(edges + dispatchers + workers + 4);
  const [management = 0, auth = 0, browserApp = 0, simulator = 0] = ports.splice(0, 4);
  return {
    edges: ports.splice(0, edges),
    dispatchers: ports.splice(0, dispatchers),
    workers: ports,
    management,
    auth,
    console: browserApp,
    simulator,
  };
}

async function startProxy(ports: Ports, { env, addressOf = (_, urls) => urls.join() }: InstallationOptions) {
  const at = (name: string, ...several: readonly number[]) => {
    const urls = several.map((port) => `http://127.0.0.1:${String(port)}`);
    return `${name}=${addressOf(name, urls)}`;
  };
  const child = spawnProgram([
    'infra/local/proxy.mjs',
    env?.SVC_PORT ?? '0',
    at('edge', ...ports.edges),
    at('management', ports.management),
    at('auth', ports.auth),
    at('console', ports.console),
  ]);
  const url = await firstMatch(child, outputOf(child), PROXY_READY);
  return {
    baseUrl: env?.SVC_BASE_URL ?? url.replace('127.0.0.1', 'localhost'),
    stop: () => exitOf(child, 'SIGTERM'),
    kill: () => killed(child),
  };
}

interface Surroundings {
  readonly home: string;
  readonly servers: RealServers;
  readonly secrets: InstallationSecrets;
  readonly simulator: Simulator | undefined;
  readonly baseUrl: string;
  readonly options: InstallationOptions;
}

/** One environment for all services: each reads what it needs. */
async function environment(surroundings: Surroundings): Promise<Record<string, string>> {
  const { home, servers, secrets, simulator, baseUrl, options } = surroundings;
  const settings = {
    SVC_BASE_URL: baseUrl,
    SVC_TRUSTED_PROXIES: '1',
    SVC_DATA_DIR: home,
    SVC_DATABASE_URL: secrets.databaseUrl,
    SVC_MASTER_KEY: secrets.masterKey,
    SVC_PLATFORM_TOKEN: secrets.platformToken,
    SVC_REDIS_URL: servers.redisUrl,
    SVC_KAFKA_BROKERS: servers.kafkaBrokers,
    // Installations share topic and groups if, and only if, they share a database.
    SVC_KAFKA_PREFIX: new URL(secrets.databaseUrl).pathname.slice(1),
    ...(simulator === undefined ? {} : { SVC_SIMULATOR_URL: simulator.url }),
    SVC_STRIPE_WEBHOOK_SECRET: PAYMENT_WEBHOOK_SECRET,
    ...options.env,
  };
  if (options.catalog === undefined) return settings;
  const file = join(home, 'catalog.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(options.catalog, null, 2));
  return { ...settings, SVC_CATALOG_FILE: file };
}

/** Runs the set-up of a build, as before each new version (docs/deploy.md). */
export async function setUp(env: Environment, build?: string): Promise<ReadyLine> {
  const child = spawnApp('all-in-one', env, 'set-up.js', build);
  const line = await firstMatch(child, outputOf(child), SET_UP_DONE);
  await exitOf(child);
  return JSON.parse(line) as ReadyLine;
}

/** Completes the output of set-up, which omits given secrets and the operator, to that of a first start of the all-in-one. */
function readyLine(
  told: ReadyLine,
  newPlatformToken: string | null,
  { env = {} }: InstallationOptions,
): ReadyLine {
  if (newPlatformToken === null) return told;
  return {
    ...told,
    api_key: told.api_key ?? env.SVC_BOOTSTRAP_API_KEY ?? null,
    owner_password: told.owner_password ?? env.SVC_BOOTSTRAP_PASSWORD ?? null,
    platform_token: env.SVC_PLATFORM_TOKEN === undefined ? newPlatformToken : null,
  };
}

async function startServices(
  ports: Ports,
  env: Environment,
  { edgeEnvironment, build }: InstallationOptions,
) {
  const several = (name: string, at: readonly number[], own?: typeof edgeEnvironment) =>
    Promise.all(
      at.map(async (port, nth) => startService(name, port, { ...env, ...(await own?.(nth, env)) }, build)),
    );
  const [edges, management, auth, browserApp, dispatchers, workers] = await Promise.all([
    several('edge', ports.edges, edgeEnvironment),
    startService('management', ports.management, env, build),
    startService('auth', ports.auth, env, build),
    startService('console', ports.console, env, build),
    several('dispatcher', ports.dispatchers),
    several('worker', ports.workers),
  ]);
  return { edges, management, auth, console: browserApp, dispatchers, workers };
}
