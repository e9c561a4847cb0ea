// PostgreSQL and Redis with nothing in them, for one run of the benchmark.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, launch, readNote, stop, untilReady } from '../../local/servers/background.mjs';
import { postgresql } from '../../local/servers/postgresql.mjs';
import { redis } from '../../local/servers/redis.mjs';
import { root } from '../../local/workspace.mjs';
import { cpuMicros, treeCpuMicros } from './processes.mjs';

/** Of this run alone: another may go on beside it. */
export const folder = join(root, '.svc/bench', String(process.pid));
/** What is committed is on disk, as in production: the servers for tests leave that out. */
const DURABLE = ['-c', 'fsync=on'];

/** @returns their variables for Svc, what each has cost so far, and how to end them. */
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
