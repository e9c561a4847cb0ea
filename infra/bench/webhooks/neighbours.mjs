// `node neighbours.mjs <database's URL> <receiver's port> <rounds> <seconds> <waiting>`: sends events in turn to a
// thousand endpoints of an installation without a backlog, and to a thousand of one where another endpoint has a backlog of
// <waiting> deliveries. Prints a line of JSON for each.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { addEndpoints, addressOf, newEvent, open, startDispatcher } from './dispatching.mjs';

const require = createRequire(new URL('../../../dist/', import.meta.url));
const { migrate } = require('./libs/database/src/index.js');

const ORGANIZATIONS = 100;
const ENDPOINTS_EACH = 10;
const EVENTS_PER_SECOND = 20;

const [databaseUrl, ...numbers] = process.argv.slice(2);
const [port, rounds, seconds, waiting] = numbers.map(Number);

const urlsOf = (path, count) =>
  Array.from({ length: count }, (_, at) => `http://${addressOf(at)}:${port}${path}`);
const quiet = await installationOn(await secondDatabase());
const burdened = await installationOn(databaseUrl);
const backlog = await addEndpoints(burdened.database, urlsOf('/', 1));
await letItWait(burdened.database, backlog);

await window('warm-up', quiet);
await window('warm-up', burdened);
for (let round = 0; round < rounds; round++) {
  await window('idle', quiet);
  await setState(true);
  await window('busy', burdened);
  await setState(false);
}
const { rows } = await burdened.database.pool.query(
  `SELECT count(*)::int AS left FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'queued'`,
  [backlog.ids[0]],
);
report({ kind: 'end', left: rows[0].left });
await Promise.all([quiet, burdened].map(({ app }) => app.close()));
process.exit();

async function secondDatabase() {
  const database = open(databaseUrl);
  await database.pool.query('CREATE DATABASE neighbours_quiet');
  await database.close();
  return Object.assign(new URL(databaseUrl), { pathname: '/neighbours_quiet' }).href;
}

/** A dispatcher with a thousand endpoints, and a way to send it an event. */
async function installationOn(url) {
  await migrate(url);
  const database = open(url);
  const organizations = [];
  for (let made = 0; made < ORGANIZATIONS; made++) {
    organizations.push((await addEndpoints(database, urlsOf('/timed', ENDPOINTS_EACH))).organizationId);
  }
  let take;
  const app = await startDispatcher(database, { subscribe: (_, handler) => (take = handler) });
  return { database, organizations, app, take };
}

async function letItWait({ pool }, { organizationId, ids: [endpointId] }) {
  await setState(false);
  const event = newEvent(organizationId);
  await pool.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, organization_id, type, payload)
       SELECT 'evt_' || n, $1, $2, $3 FROM generate_series(1, $5) n RETURNING id)
     INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id)
     SELECT 'whd_' || id, $1, id, $2, $4 FROM event`,
    [organizationId, event.type, event.payload, endpointId, waiting],
  );
  await pool.query('VACUUM ANALYZE webhook_deliveries');
  // Writes the loaded rows to disk now, and not during the measurement.
  await pool.query('CHECKPOINT');
}

async function setState(isActive) {
  await burdened.database.pool.query('UPDATE webhook_endpoints SET state = $2, enabled = $3 WHERE id = $1', [
    backlog.ids[0],
    isActive ? 'active' : 'paused',
    isActive,
  ]);
}

async function window(kind, { organizations, take }) {
  // Waits until earlier attempts have ended and the backlog is being sent.
  await wait(2000);
  report({ kind: 'begin', window: kind });
  const startedAtMs = performance.now();
  for (let sent = 0; sent < seconds * EVENTS_PER_SECOND; sent++) {
    await take(newEvent(organizations[sent % ORGANIZATIONS]));
    await wait(Math.max(0, startedAtMs + ((sent + 1) * 1000) / EVENTS_PER_SECOND - performance.now()));
  }
  await wait(1000);
  report({ kind: 'ended', window: kind, expected: seconds * EVENTS_PER_SECOND * ENDPOINTS_EACH });
}

function report(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
