import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startKeeper } from '@svc/testing';
import { workspaceRoot } from './app-process';
import { toolEnvironment, type RealServers } from './config';
import { newFolder } from './temporary-folder';

const run = promisify(execFile);

export type ServerName = 'kafka' | 'redis' | 'postgresql';

/** Servers that a spec may kill and start. */
export interface OwnServers extends RealServers {
  /** SIGKILL, like a crash. Resolves when it has exited. */
  kill(name: ServerName): Promise<void>;
  /** Starts it on its port with its data on disk; Redis keeps none. Resolves when it answers. */
  up(name: ServerName): Promise<void>;
  pidOf(name: ServerName): Promise<number>;
  /** Its output so far. */
  logOf(name: ServerName): Promise<string>;
  remove(): Promise<void>;
}

const SERVERS = join(workspaceRoot, 'infra/local/servers.mjs');

const running = new Set<() => Promise<void>>();

afterAll(async () => {
  await Promise.all(Array.from(running, (remove) => remove()));
});

export async function startOwnServers(): Promise<OwnServers> {
  const { folder, command, printedValue, remove } = await startServers();
  const fileOf = (name: ServerName, file: string) => readFile(join(folder, name, file), 'utf8');
  return {
    databaseUrl: printedValue('SVC_DATABASE_URL'),
    redisUrl: printedValue('SVC_REDIS_URL'),
    kafkaBrokers: printedValue('SVC_KAFKA_BROKERS'),
    kill: async (name) => {
      await command('kill', name);
      // Waits for processes that are exiting.
      await command('down', name);
    },
    up: async (name) => void (await command('up', name)),
    pidOf: async (name) => (JSON.parse(await fileOf(name, 'server.json')) as { pid: number }).pid,
    logOf: (name) => fileOf(name, 'server.log'),
    remove,
  };
}

/**
 * Starts servers in a folder of their own, which ends with this process.
 * @param names of servers; without any those that Svc needs.
 */
export async function startServers(...names: readonly string[]) {
  // Removed only once its servers are killed, which are found by it.
  const folder = await newFolder();
  const env = toolEnvironment({ SVC_SERVERS_DIR: folder });
  const command = async (...args: string[]) =>
    (await run(process.execPath, [SERVERS, ...args], { env })).stdout;
  const keeper = startKeeper(KILL_SERVERS, [process.execPath, SERVERS, folder], env);
  const remove = () => {
    running.delete(remove);
    return keeper.end();
  };
  running.add(remove);
  const printed = await command('up', ...names);
  const printedValue = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(printed)?.[1] ?? '';
  return { folder, command, printedValue, remove };
}

/** Resumes a server that a spec has paused, because it could not be stopped otherwise. */
const KILL_SERVERS = `kill -CONT $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$3"/*/server.json); "$1" "$2" kill; rm -rf "$3"`;

const TEMPLATE = 'svc_e2e_template';
/** Key of the advisory lock under which one process creates the template for all. */
const TEMPLATE_LOCK = 7_310_004;

/**
 * Creates a database on a server as a copy of a migrated template, because migrating takes seconds. An older template only
 * costs time: set-up migrates its copies.
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
      const program = join(workspaceRoot, 'dist/libs/database/src/migrations/main.js');
      const env = toolEnvironment({ SVC_DATABASE_URL: urlOf(serverUrl, draft) });
      await run(process.execPath, [program], { cwd: workspaceRoot, env });
      await server.query(`alter database ${draft} rename to ${TEMPLATE}`);
    }
    await server.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return urlOf(serverUrl, name);
}

/** Creates an empty database on a server: a set-up makes the tables of its own version in it. */
export async function emptyDatabase(serverUrl: string): Promise<string> {
  const name = `svc_e2e_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, (server) => server.query(`create database ${name}`));
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
