// The load: prebuilt requests over raw TCP, answers read just far enough to find status and end. Runs one job at a time,
// each a message in the form that `load.mjs` documents, and answers with its results.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.mjs';
import { Tally } from './tally.mjs';

const DRAIN_TIMEOUT_MS = 10_000;

process.on('message', ({ job }) => {
  if (job === undefined) return;
  run(job).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.once('disconnect', () => process.exit());

async function run(job) {
  const requests = job.requests.map((bytes) => Buffer.from(bytes));
  const tally = new Tally(job);
  const connections = [];
  const connect = async () => {
    const connection = new Connection(job.port, tally, requests, connections.length);
    connections.push(connection);
    await connection.open();
    return connection;
  };
  for (let n = 0; n < job.connections; n++) await connect();
  process.send({ isConnected: true });
  await once(process, 'message');
  const cpuBefore = process.cpuUsage();
  tally.begin();
  if (job.ratePerSecond === undefined) await saturate(job, connections, tally);
  else await keepRate(job, connections, connect, tally);
  tally.end();
  const { user, system } = process.cpuUsage(cpuBefore);
  await untilIdle(connections);
  for (const connection of connections) connection.close();
  return { ...tally.result(), loadCpuMicros: user + system };
}

/** Closed loop: every connection has one call in flight, until the time or the number of calls is reached. */
async function saturate({ durationMs, callsMax = Infinity }, connections, tally) {
  let left = callsMax;
  let over;
  const end = new Promise((resolve) => {
    over = resolve;
  });
  const timer = durationMs === undefined ? undefined : setTimeout(over, durationMs);
  const next = (connection) => {
    if (tally.failure !== null || tally.calls >= callsMax) return over();
    if (left-- > 0) connection.send();
  };
  for (const connection of connections) {
    connection.onIdle = next;
    next(connection);
  }
  await end;
  clearTimeout(timer);
  for (const connection of connections) connection.onIdle = () => undefined;
}

/** Open loop: a call at a fixed rate, however slow the answers are; opens more connections when all are busy. */
async function keepRate({ durationMs, ratePerSecond }, connections, connect, tally) {
  const idle = [...connections];
  const backToIdle = (connection) => idle.push(connection);
  for (const connection of connections) connection.onIdle = backToIdle;
  const startedAtMs = performance.now();
  const total = Math.round((durationMs / 1000) * ratePerSecond);
  for (let sent = 0; sent < total && tally.failure === null; sent++) {
    const dueMs = startedAtMs + (sent * 1000) / ratePerSecond;
    // Never two calls at once after a late timer: that would measure this process.
    while (performance.now() < dueMs) await pause(1);
    tally.late(performance.now() - dueMs);
    let connection = idle.shift();
    if (connection === undefined) {
      connection = await connect();
      connection.onIdle = backToIdle;
    }
    connection.send();
  }
  await untilIdle(connections);
}

async function untilIdle(connections) {
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  while (connections.some(({ isBusy }) => isBusy) && performance.now() < deadline) await pause(2);
}
