import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildProjects } from '@svc/testing';
import { type CrashOptions } from '../testing/crashing-fan-out';
import { IncidentWorld } from '../testing/incident-world';

const LEASE_MS = 300;
/** Three batches for the opening, three for the end. */
const ORGANIZATIONS = 25;
const BATCH = 10;

let folder: string;
let world: IncidentWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
  const libs = readdirSync(join(__dirname, '../../../../libs')).map((name) => `libs/${name}`);
  buildProjects(['apps/worker', ...libs], folder);
  world = await IncidentWorld.open();
  await world.addOrganizations(ORGANIZATIONS);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});
beforeEach(async () => {
  await world.database.pool.query(
    'TRUNCATE incident_organizations, incident_updates, incidents, outbox_events',
  );
});

const tellUntilKilled = async (when: CrashOptions['when'], number: number) => {
  const program = join(folder, 'apps/worker/src/testing/crashing-fan-out.js');
  const options: CrashOptions = {
    databaseUrl: world.test.url,
    leaseMs: LEASE_MS,
    batch: BATCH,
    when,
    number,
  };
  const child = spawn(process.execPath, ['-r', 'reflect-metadata', program, JSON.stringify(options)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
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
  expect(await world.store.find(id)).toMatchObject({ organizationCount: ORGANIZATIONS });
});
