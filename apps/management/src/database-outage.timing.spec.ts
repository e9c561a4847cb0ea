import { openDatabase, type Database } from '@svc/database';
import {
  openTestDatabase,
  startSilentProxy,
  type SilentProxy,
  type TestDatabase,
} from '@svc/database/testing';
import { eventually } from '@svc/testing';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from './testing/management-under-test';

/** The promise is 5 s; two waits in sequence would take at least 7 s. */
const ANSWERED_WITHIN_MS = 6_500;

let store: TestDatabase;
let proxy: SilentProxy;
let database: Database;
let management: ManagementUnderTest;
let organization: Organization;
let key: Client;
let session: Client;
beforeAll(async () => {
  store = await openTestDatabase();
  proxy = await startSilentProxy(store.url);
  database = openDatabase({ url: proxy.url, poolSize: 4 });
  management = await startManagement({ database });
  organization = await management.newOrganization();
  key = await management.withKey(organization);
  session = await management.withSession(organization, 'owner');
});
afterEach(() => {
  proxy.resume();
});
afterAll(async () => {
  await management.close();
  await database.close();
  await proxy.close();
  await store.close();
});

async function expect503InTime(answer: Promise<Answered>): Promise<void> {
  const askedAt = performance.now();
  const { status, headers, body } = await answer;
  expect(performance.now() - askedAt).toBeLessThan(ANSWERED_WITHIN_MS);
  expect([status, headers.get('x-should-retry')]).toEqual([503, 'true']);
  expect(body).toMatchObject({
    error: {
      type: 'overloaded',
      code: 'overloaded',
      message: 'The database cannot be reached at the moment. Please retry.',
      retriable: true,
    },
  });
}

const outages: [string, () => void][] = [
  ['is paused', () => proxy.silence('both')],
  [
    'is gone, and whoever connects hears nothing',
    () => {
      proxy.silence('both');
      proxy.cut();
    },
  ],
];

it.each(outages)(
  'while PostgreSQL %s, lists and writes answer 503 in time, and work once it is back',
  async (_, begin) => {
    const list = () => key.get('/api/v1/projects');
    const write = () => key.post('/api/v1/projects', { name: 'Search' });
    expect([(await list()).status, (await write()).status]).toEqual([200, 201]);
    begin();
    await expect503InTime(list());
    await expect503InTime(write());
    await expect503InTime(session.get('/api/v1/projects'));
    await Promise.all(Array.from({ length: 12 }, () => expect503InTime(list())));
    proxy.resume();
    await eventually(async () => expect((await write()).status).toBe(201));
    expect((await list()).status).toBe(200);
  },
);

it('a write that PostgreSQL is paused under answers 503 in time, and has done nothing or all of it', async () => {
  const lock = await store.database.connectAlone();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
  const write = key.post('/api/v1/projects', { name: 'Halfway' });
  await eventually(async () => {
    const { rows } = await lock.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    expect(rows).toHaveLength(1);
  });
  proxy.silence('both');
  await expect503InTime(write);
  await lock.query('COMMIT');
  await lock.end();
  proxy.resume();
  await eventually(async () => expect((await key.get('/api/v1/projects')).status).toBe(200));
});
