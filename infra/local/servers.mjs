// `node infra/local/servers.mjs up|down|kill [kafka] [mail] [postgresql] [redis] [s3]`: real servers for this clone, without Docker.
// `up` prints the variables that point Svc at them. Their data is in SVC_SERVERS_DIR, or else in .svc/servers.
// Without a name it is all but `mail` and `s3`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, launch, readNote, stop, untilReady } from './servers/background.mjs';
import { kafka } from './servers/kafka.mjs';
import { mail } from './servers/mail.mjs';
import { postgresql } from './servers/postgresql.mjs';
import { redis } from './servers/redis.mjs';
import { s3 } from './servers/s3.mjs';
import { isProgram, root, say, secondsSince } from './workspace.mjs';

const servers = { kafka, mail, postgresql, redis, s3 };
const cacheFolder = join(root, '.svc/downloads');
const everyName = Object.keys(servers);
/** Servers that Svc does not run without. */
export const neededNames = everyName.filter((name) => name !== 'mail' && name !== 's3');
const STARTS_MAX = 5;

/** Starts what does not run yet. @returns the environment variables of Svc that name the servers. */
export async function up(folder, names = neededNames) {
  // Servers are installed one after another: they share apt's lock.
  for (const name of names) await servers[name].install(cacheFolder);
  const variables = await Promise.all(names.map((name) => bringUp(servers[name], join(folder, name))));
  return Object.assign({}, ...variables);
}

async function bringUp(server, folder) {
  const note = readNote(folder);
  if (note.isAlive) return server.variables(note.ports, folder);
  const startedAtMs = Date.now();
  const ports = await startOn(await freePorts(server.portCount, note.ports), server, folder);
  say(`${server.name}: up in ${secondsSince(startedAtMs)}`);
  return server.variables(ports, folder);
}

/**
 * Starts a server, on other ports where somebody took one before it listened there.
 * @returns its ports.
 * @throws Error that says why it did not start, and which port was taken the last time.
 */
export async function startOn(ports, server, folder, startsLeft = STARTS_MAX) {
  launch(folder, ports, server.prepare(folder, ports));
  try {
    await untilReady(folder, () => server.isReady(folder, ports));
    return ports;
  } catch (error) {
    const free = await freePorts(server.portCount, ports);
    const taken = ports.filter((port) => !free.includes(port));
    if (taken.length > 0 && startsLeft > 1) return startOn(free, server, folder, startsLeft - 1);
    const who = taken.length > 0 ? `Somebody took port ${taken.join(' and ')}. ` : '';
    throw new Error(`${server.name}: ${who}${error.message}`);
  }
}

/** Stops the servers, and keeps their data. */
export async function down(folder, names = everyName) {
  await Promise.all(names.map((name) => stop(join(folder, name), servers[name].stopSignal)));
}

/** Kills the servers, as a crash would. */
export function kill(folder, names = everyName) {
  for (const name of names) {
    const { pid, isAlive } = readNote(join(folder, name));
    if (isAlive) process.kill(pid, servers[name].killSignal);
  }
}

/** Starts empty servers, which end with this process. */
export async function upFresh(folder, names) {
  kill(folder);
  await down(folder);
  rmSync(folder, { recursive: true, force: true });
  // Before the folder is removed, by which the servers are found.
  process.prependOnceListener('exit', () => kill(folder));
  return up(folder, names);
}

async function main([command, ...names]) {
  const folder = process.env.SVC_SERVERS_DIR ?? join(root, '.svc/servers');
  const commands = { up, down, kill };
  const unknown = names.filter((name) => !(name in servers));
  if (!(command in commands) || unknown.length > 0) {
    say(`Say what to do: ${Object.keys(commands).join('|')} [${everyName.join('] [')}]`);
    process.exit(2);
  }
  const variables = await commands[command](folder, names.length > 0 ? names : undefined);
  for (const [name, value] of Object.entries(variables ?? {})) say(`${name}=${value}`);
}

if (isProgram(import.meta.url)) await main(process.argv.slice(2));
