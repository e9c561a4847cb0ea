import { setTimeout as wait } from 'node:timers/promises';
import { BuiltProgram } from '@svc/testing';
import { type CrashOptions } from '../testing/crashing-fan-out';
import { IncidentWorld } from '../testing/incident-world';

const LEASE_MS = 300;
/** Three batches for the opening, three for the end. */
const ORGANIZATIONS = 25;
const BATCH = 10;

let program: BuiltProgram<CrashOptions>;
let world: IncidentWorld;
beforeAll(async () => {
  program = new BuiltProgram('libs/incidents/src/testing/crashing-fan-out.ts');
  world = await IncidentWorld.open();
  await world.addOrganizations(ORGANIZATIONS);
});
afterAll(async () => {
  await program.close();
  await world.close();
});
beforeEach(async () => {
  await world.database.pool.query(
    'TRUNCATE incident_organizations, incident_updates, incidents, outbox_events',
  );
});

const tellUntilKilled = async (when: CrashOptions['when'], number: number) => {
  const options = { databaseUrl: world.test.url, leaseMs: LEASE_MS, batch: BATCH, when, number };
  expect(await program.run(options)).toBe('SIGKILL');
};

it.each<[CrashOptions['when'], number]>([
  ...[1, 2, 3, 4, 5, 6, 9].map((number): [CrashOptions['when'], number] => ['after statement', number]),
  ...[1, 2, 3, 4, 6].map((number): [CrashOptions['when'], number] => ['before commit', number]),
  ...[1, 2, 3, 4, 6].map((number): [CrashOptions['when'], number] => ['after commit', number]),
])('a worker that is killed %s %i leaves nobody out, and tells nobody twice', async (when, number) => {
  const { id } = await world.incident();
  await world.update(id, { state: 'resolved' });
  await tellUntilKilled(when, number);
  await wait(2 * LEASE_MS);
  await world.tell();
  const heard = await world.heard();
  expect(heard.size).toBe(ORGANIZATIONS);
  expect(new Set([...heard.values()].map((events) => events.join()))).toEqual(
    new Set(['opened investigating,resolved resolved']),
  );
  expect(await world.store.findIncident(id)).toMatchObject({ organizationCount: ORGANIZATIONS });
});
