import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { findBinaries } from './binaries';
import { type Cluster, prepareCluster, SUPERUSER } from './cluster';
import { endLeftOverServer, endServer } from './left-over-server';
import { lockFor } from './owner-lock';
import { runAs } from './server-account';

interface EmbeddedPostgresOptions {
  /** Owned by one process at a time; made when missing. The server's files are in its folder `postgres`. */
  readonly dataDir: string;
  /** For tests: a crash of the machine may lose committed data. */
  readonly fast?: boolean;
}

export interface EmbeddedPostgres {
  /** The URL of the database `svc`, with its password. The port differs at each start. */
  readonly url: string;
  /** Ends the server; open sessions are cut. */
  stop(): Promise<void>;
}

const DATABASE = 'svc';
const START_TRIES = 5;
const START_MAX_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const UNKNOWN_DATABASE = '3D000';
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

/**
 * A real PostgreSQL on a port of the loopback interface, from an npm package
 * (docs/configuration.md#one-process-or-one-for-each-service). It runs in a process group of its own: neither Ctrl-C
 * nor the end of this process ends it. Only `stop` does, or the next start over the same data.
 * @throws Error in one line when another process owns the data folder or the machine cannot run it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const lock = lockFor(join(dataDir, 'owner.lock'), dataDir);
  try {
    const binaries = findBinaries();
    const cluster = prepareCluster(join(dataDir, 'postgres'), binaries, options.fast === true);
    await endLeftOverServer(cluster.pgData);
    const server = await startOnFreePort(binaries.postgres, cluster);
    return {
      url: urlOf(cluster, server.port, DATABASE),
      stop: async () => {
        server.process.ref();
        if (server.process.pid !== undefined && isRunning(server.process))
          await endServer(server.process.pid);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface RunningServer {
  readonly process: ChildProcess;
  readonly port: number;
}

/** Another process may take the free port before the server listens on it. */
async function startOnFreePort(postgres: string, cluster: Cluster): Promise<RunningServer> {
  for (let tries = 1; ; tries++) {
    const server = spawnServer(postgres, cluster, await freePort());
    if (await isReady(server, cluster)) return server;
    const log = readFileSync(cluster.logFile, 'utf8');
    if (!log.includes('could not create any TCP/IP sockets') || tries === START_TRIES) {
      throw new Error(`PostgreSQL did not start:\n${log.trim().split('\n').slice(-5).join('\n')}`);
    }
  }
}

function spawnServer(postgres: string, cluster: Cluster, port: number): RunningServer {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const { program, args, ...identity } = runAs(
    cluster.account,
    postgres,
    [
      ...['-D', cluster.pgData, '-p', String(port)],
      ...[...settings, ...(cluster.fast ? FAST_SETTINGS : [])].flatMap((setting) => ['-c', setting]),
    ],
    [cluster.pgData],
  );
  const log = openSync(cluster.logFile, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      ...identity,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.once('error', () => undefined).unref();
    return { process: child, port };
  } finally {
    closeSync(log);
  }
}

/** @returns false when the server ended instead. */
async function isReady(server: RunningServer, cluster: Cluster): Promise<boolean> {
  for (let waited = 0; waited < START_MAX_MS; waited += POLL_MS) {
    if (!isRunning(server.process)) return false;
    const problem = await connectionProblem(urlOf(cluster, server.port, DATABASE));
    if (problem === null) return true;
    if (problem === UNKNOWN_DATABASE) await createDatabase(urlOf(cluster, server.port, 'postgres'));
    else await wait(POLL_MS);
  }
  if (server.process.pid !== undefined) await endServer(server.process.pid);
  return false;
}

/** Null when a connection succeeds; else PostgreSQL's SQLSTATE, or empty while nothing listens. */
async function connectionProblem(connectionString: string): Promise<string | null> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error instanceof DatabaseError ? (error.code ?? '') : '';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

const urlOf = (cluster: Cluster, port: number, database: string): string =>
  `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${String(port)}/${database}`;

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => {
        resolvePort(port);
      });
    });
  });
}
