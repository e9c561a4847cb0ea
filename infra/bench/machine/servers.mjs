// Empty PostgreSQL and Redis servers for one run of the benchmark.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, launch, readNote, stop, untilReady } from '../../local/servers/background.mjs';
import { postgresql } from '../../local/servers/postgresql.mjs';
import { redis } from '../../local/servers/redis.mjs';
import { root } from '../../local/workspace.mjs';
import { cpuMicros, treeCpuMicros } from './processes.mjs';

/** A folder per run: another run may go on at the same time. */
export const folder = join(root, '.svc/bench', String(process.pid));
/** Commits are flushed to disk, as in production, unlike on the servers for tests. */
const DURABLE = ['-c', 'fsync=on'];

/** @returns their variables for Svc, the cost of each so far, and how to stop them. */
export async function startServers() {
  process.once('exit', () => {
    killServers();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const [database, cache] = [await bringUp(postgresql, DURABLE), await bringUp(redis, [])];
  return {
    variables: { ...database.variables, ...cache.variables },
    postgresqlMicros: () => treeCpuMicros(database.pid),
    redisMicros: () => cpuMicros(cache.pid),
    stop: stopServers,
  };
}

async function bringUp(server, moreArgs) {
  const own = join(folder, server.name);
  await server.install(join(root, '.svc/downloads'));
  const ports = await freePorts(server.portCount, []);
  const { program, args } = server.prepare(own, ports);
  launch(own, ports, { program, args: [...args, ...moreArgs] });
  await untilReady(own, () => server.isReady(own, ports));
  return { pid: readNote(own).pid, variables: server.variables(ports) };
}

const stopServers = () =>
  Promise.all([postgresql, redis].map(({ name, stopSignal }) => stop(join(folder, name), stopSignal)));

function killServers() {
  for (const { name, killSignal } of [postgresql, redis]) {
    const { pid, isAlive } = readNote(join(folder, name));
    if (isAlive) process.kill(pid, killSignal);
  }
}
