import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const LOG_TAIL_CHARACTERS = 4_000;

const noteFile = (folder) => join(folder, 'server.json');
const logFile = (folder) => join(folder, 'server.log');

/** The recorded server of a folder: its ports, and its process while that runs. */
export function readNote(folder) {
  try {
    const note = JSON.parse(readFileSync(noteFile(folder), 'utf8'));
    return { ...note, isAlive: note.startedAt !== null && startedAt(note.pid) === note.startedAt };
  } catch {
    return { ports: [], isAlive: false };
  }
}

/** Starts a program that outlives this one, with its output in a file beside its data. */
export function launch(folder, ports, { program, args }) {
  mkdirSync(folder, { recursive: true });
  const log = openSync(logFile(folder), 'a');
  const server = spawn(program, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
  server.on('error', () => undefined).unref();
  closeSync(log);
  const { pid } = server;
  writeFileSync(noteFile(folder), JSON.stringify({ pid, ports, startedAt: startedAt(pid) }));
}

/**
 * Waits until a check passes, while the server runs: another may answer in its place.
 * @throws Error with the end of the log when the server ends first, or takes too long.
 */
export async function untilReady(folder, isReady) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const { isAlive, pid } = readNote(folder);
    if (isAlive && (await isReady())) return;
    if (isAlive && Date.now() < deadline) {
      await pause(POLL_MS);
      continue;
    }
    if (isAlive) process.kill(pid, 'SIGKILL');
    throw new Error(
      `It did not start:\n${readFileSync(logFile(folder), 'utf8').slice(-LOG_TAIL_CHARACTERS)}`,
    );
  }
}

export async function stop(folder, signal) {
  const { pid, isAlive } = readNote(folder);
  if (!isAlive) return;
  process.kill(pid, signal);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (readNote(folder).isAlive) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await pause(POLL_MS);
  }
}

/**
 * Below every port that an operating system gives to outgoing connections: one of those may be taken while a server is down
 * that starts again. The services of specs have those above (libs/testing/src/free-ports.ts).
 */
const FIRST_PORT = 10_100;
/** Processes of Jest that run beside each other never get each other's ports, though a server listens on its ports only later. */
const PROCESSES = 9;
const OF_A_PROCESS = 100;
const firstPort = FIRST_PORT + (Number(process.env.JEST_WORKER_ID ?? 0) % PROCESSES) * OF_A_PROCESS;
/** A port comes again only after all others: nor do servers get the same one that this process starts beside each other. */
let next = Math.floor(Math.random() * OF_A_PROCESS);

/** Ports that nothing listens on: the wanted ones, where they are free. */
export async function freePorts(count, wanted) {
  const listeners = [];
  for (let n = 0; n < count; n++) {
    listeners.push((wanted[n] && (await listen(wanted[n]))) || (await listenAnywhere()));
  }
  const ports = listeners.map((listener) => listener.address().port);
  await Promise.all(listeners.map((listener) => once(listener.close(), 'close')));
  return ports;
}

async function listenAnywhere() {
  for (let tries = 0; tries < OF_A_PROCESS; tries++) {
    next = (next + 1) % OF_A_PROCESS;
    const listener = await listen(firstPort + next);
    if (listener !== null) return listener;
  }
  throw new Error(`No port from ${firstPort} on is free.`);
}

async function listen(port) {
  const listener = createServer().listen(port, '127.0.0.1');
  return once(listener, 'listening').then(
    () => listener,
    () => null,
  );
}

export async function answers(port) {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

/** The start of a process, which tells it from a later one of the same id (Linux only). Null: it has ended. */
function startedAt(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  if (!existsSync('/proc/self/stat')) return 'some time ago';
  // proc(5): the second field, the program's name, may itself hold spaces and brackets.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // An ended process stays as a zombie until its parent reads its exit code.
  return fields[0] === 'Z' ? null : fields[19];
}
