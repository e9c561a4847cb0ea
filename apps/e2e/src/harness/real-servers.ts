import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { workspaceRoot } from './app-process';
import { toolEnvironment } from './config';
import { temporaryFolder } from './temporary-folder';

const run = promisify(execFile);

/** Where separate services find what they run on. */
export interface RealServers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly kafkaBrokers: string;
}

export type ServerName = 'kafka' | 'redis' | 'postgresql';

/** Servers that a spec may end. */
export interface OwnServers extends RealServers {
  /** As a crash: no warning. Resolves when it is gone. */
  kill(name: ServerName): Promise<void>;
  /** On its port, with what data it has on disk: Redis keeps none. Resolves when it answers. */
  up(name: ServerName): Promise<void>;
  remove(): Promise<void>;
}

const SERVERS = join(workspaceRoot, 'infra/local/servers.mjs');

const running = new Set<() => Promise<void>>();

afterAll(async () => {
  await Promise.all(Array.from(running, (remove) => remove()));
});

export async function startOwnServers(): Promise<OwnServers> {
  const folder = await temporaryFolder();
  const env = toolEnvironment({ SVC_SERVERS_DIR: folder });
  const command = async (...args: string[]) =>
    (await run(process.execPath, [SERVERS, ...args], { env })).stdout;
  const keeper = startKeeper(folder, env);
  const remove = async () => {
    running.delete(remove);
    keeper.ref();
    keeper.stdin.end();
    await once(keeper, 'exit');
  };
  running.add(remove);
  const printed = await command('up');
  const printedValue = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(printed)?.[1] ?? '';
  return {
    databaseUrl: printedValue('SVC_DATABASE_URL'),
    redisUrl: printedValue('SVC_REDIS_URL'),
    kafkaBrokers: printedValue('SVC_KAFKA_BROKERS'),
    kill: async (name) => {
      await command('kill', name);
      // Waits for what is dying.
      await command('down', name);
    },
    up: async (name) => void (await command('up', name)),
    remove,
  };
}

/** Reads from a pipe that this process alone holds, which ends with it, and takes the servers along. */
function startKeeper(folder: string, env: NodeJS.ProcessEnv) {
  const script = 'cat >/dev/null; "$1" "$2" kill; rm -rf "$3"';
  const keeper = spawn('sh', ['-c', script, 'sh', process.execPath, SERVERS, folder], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  return keeper;
}

const TEMPLATE = 'svc_e2e_template';
/** Key of the advisory lock under which one process makes the template for all. */
const TEMPLATE_LOCK = 7_310_004;

/**
 * A database of its own on a server, copied from a migrated one: migrating takes seconds. A template from before the last
 * migration costs only time, as set-up brings its copies up to date.
 */
export async function newDatabase(serverUrl: string): Promise<string> {
  const name = `svc_e2e_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, async (server) => {
    await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await server.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 0) {
      const draft = `${TEMPLATE}_draft`;
      await server.query(`drop database if exists ${draft}`);
      await server.query(`create database ${draft}`);
      const prisma = join(workspaceRoot, 'node_modules/prisma/build/index.js');
      const env = toolEnvironment({ SVC_DATABASE_URL: urlOf(serverUrl, draft) });
      await run(process.execPath, [prisma, 'migrate', 'deploy'], { cwd: workspaceRoot, env });
      await server.query(`alter database ${draft} rename to ${TEMPLATE}`);
    }
    await server.query(`create database ${name} template ${TEMPLATE}`);
  });
  return urlOf(serverUrl, name);
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(urlOf(url, 'postgres'), (server) =>
    server.query(`drop database if exists ${name} with (force)`),
  );
}

async function onServer<T>(url: string, work: (server: Client) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: url });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

const urlOf = (serverUrl: string, database: string) => new URL(`/${database}`, serverUrl).href;
