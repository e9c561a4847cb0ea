// `node neighbours.mjs <database's URL> <receiver's port> <rounds> <seconds> <waiting>`: sends events to a thousand endpoints
// while one more has so many deliveries waiting, and while it is paused, in turn. Prints a line of JSON for each.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { addEndpoints, addressOf, newEvent, open, startDispatcher } from './dispatching.mjs';

const require = createRequire(new URL('../../../dist/', import.meta.url));
const { migrate } = require('./libs/persistence/src/index.js');

const ORGANIZATIONS = 100;
const ENDPOINTS_EACH = 10;
const EVENTS_PER_SECOND = 20;

const [databaseUrl, ...numbers] = process.argv.slice(2);
const [port, rounds, seconds, waiting] = numbers.map(Number);

await migrate(databaseUrl);
const database = open(databaseUrl);
const urlsOf = (path, count) =>
  Array.from({ length: count }, (_, at) => `http://${addressOf(at)}:${port}${path}`);
const neighbours = [];
for (let made = 0; made < ORGANIZATIONS; made++) {
  neighbours.push((await addEndpoints(database, urlsOf('/timed', ENDPOINTS_EACH))).organizationId);
}
const busy = await addEndpoints(database, urlsOf('/', 1));
await letItWait(busy);

let take;
const transport = { subscribe: (_, handler) => (take = handler) };
const app = await startDispatcher(database, transport);
await window('warm-up', false);
for (let round = 0; round < rounds; round++) {
  await window('idle', false);
  await window('busy', true);
}
const { rows } = await database.pool.query(
  `SELECT count(*)::int AS left FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'queued'`,
  [busy.ids[0]],
);
report({ kind: 'end', left: rows[0].left });
await app.close();
process.exit();

async function letItWait({ organizationId, ids: [endpointId] }) {
  await setState(endpointId, false);
  const event = newEvent(organizationId);
  await database.pool.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, organization_id, type, payload)
       SELECT 'evt_' || n, $1, $2, $3 FROM generate_series(1, $5) n RETURNING id)
     INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id)
     SELECT 'whd_' || id, $1, id, $2, $4 FROM event`,
    [organizationId, event.type, event.payload, endpointId, waiting],
  );
  await database.pool.query('VACUUM ANALYZE webhook_deliveries');
}

async function setState(endpointId, isActive) {
  await database.pool.query('UPDATE webhook_endpoints SET state = $2, enabled = $3 WHERE id = $1', [
    endpointId,
    isActive ? 'active' : 'paused',
    isActive,
  ]);
}

async function window(kind, isBusy) {
  await setState(busy.ids[0], isBusy);
  // What was begun before is over, and what begins is under way.
  await wait(2000);
  report({ kind: 'begin', window: kind });
  const startedAtMs = performance.now();
  for (let sent = 0; sent < seconds * EVENTS_PER_SECOND; sent++) {
    await take(newEvent(neighbours[sent % ORGANIZATIONS]));
    await wait(Math.max(0, startedAtMs + ((sent + 1) * 1000) / EVENTS_PER_SECOND - performance.now()));
  }
  await wait(1000);
  report({ kind: 'ended', window: kind, expected: seconds * EVENTS_PER_SECOND * ENDPOINTS_EACH });
}

function report(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
