// `node sender.mjs <database's URL> <receiver's port> <rounds> <events>`: sends events to many endpoints, by a bare loop and by
// the dispatcher in turn. Prints a line of JSON for each.
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { addEndpoints, addressOf, newEvent, open, SECRET, startDispatcher } from './dispatching.mjs';

const ENDPOINTS = 400;
const BARE_CONCURRENCY = 64;

const require = createRequire(new URL('../../../dist/', import.meta.url));
const { signatureHeader } = require('./libs/events/src/index.js');
const { migrate, UnitOfWork } = require('./libs/database/src/index.js');
const { DeliveryIntake } = require('./libs/deliveries/src/store/index.js');

const [databaseUrl, ...numbers] = process.argv.slice(2);
const [port, rounds, events] = numbers.map(Number);

await migrate(databaseUrl);
for (let round = 0; round < rounds; round++) {
  await report('bare', barePosts);
  await report('svc', await deliveries());
}
process.exit();

async function report(kind, work) {
  const [startedAtMs, cpuBefore] = [performance.now(), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const count = ENDPOINTS * events;
  const figures = {
    callsPerSecond: count / seconds,
    cpuMicros: (user + system) / count,
    callsPerCoreSecond: (1e6 * count) / (user + system),
  };
  process.stdout.write(`${JSON.stringify({ kind, ...figures })}\n`);
}

async function barePosts() {
  const body = Buffer.from(newEvent('org_bench').payload);
  const post = (at) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        'svc-signature': signatureHeader([SECRET], Math.floor(Date.now() / 1000), body),
      };
      const options = { host: addressOf(at), port, method: 'POST', path: '/', headers, agent: false };
      const outgoing = request(options, (answer) => answer.resume().on('end', resolve));
      outgoing.on('error', reject).end(body);
    });
  let left = ENDPOINTS * events;
  const worker = async () => {
    while (left-- > 0) await post(left);
  };
  await Promise.all(Array.from({ length: BARE_CONCURRENCY }, worker));
}

/** @returns the measured work: from stored deliveries to settled attempts. */
async function deliveries() {
  const database = open(databaseUrl);
  const urls = Array.from({ length: ENDPOINTS }, (_, at) => `http://${addressOf(at)}:${port}/`);
  const { organizationId, ids } = await addEndpoints(database, urls);
  const intake = new DeliveryIntake();
  const addressed = Array.from({ length: events }, () => ({
    event: newEvent(organizationId),
    endpointIds: ids,
  }));
  await new UnitOfWork(database).transaction((tx) => intake.record(tx, addressed));

  return async () => {
    const app = await startDispatcher(database, { subscribe: () => undefined });
    const unsettled = `SELECT FROM webhook_deliveries WHERE organization_id = $1 AND status <> 'succeeded' LIMIT 1`;
    while ((await database.pool.query(unsettled, [organizationId])).rowCount > 0) await wait(50);
    await app.close();
    await database.close();
  };
}
