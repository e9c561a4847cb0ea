import { SessionStore, SigningKeyStore } from '@svc/access/store';
import { formatId, ID_ENTROPY_BYTES, type IdKind } from '@svc/kernel';
import { Retention } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { DeliveryRetention } from '@svc/deliveries/store';
import { RequestMonths } from '@svc/ledger/store';
import { createSealer } from '@svc/runtime';
import { rotateSigningKeys } from './access.tasks';
import { deleteOldDeliveries } from './deliveries.tasks';
import { dropOldRequestMonths, makeRequestMonths } from './ledger.tasks';
import { RETENTION_RULES } from './retention.tasks';

const DAY_MS = 24 * 3_600_000;
const NOW_MS = Date.now();
const idAt = (kind: IdKind, ms: number) => formatId(kind, ms, new Uint8Array(ID_ENTROPY_BYTES));

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(async () => {
  jest.useRealTimers();
  await test.close();
});

/** Fakes the date only: timers stay real. */
function setClockOfThisProcess(aheadDays: number): void {
  jest.useFakeTimers({
    now: NOW_MS + aheadDays * DAY_MS,
    advanceTimers: true,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}

/** Runs all tasks that delete by time, as the module does. */
async function runAllRetention(): Promise<void> {
  const { database } = test;
  const months = new RequestMonths(database);
  const keys = new SigningKeyStore(database, createSealer(Buffer.alloc(32, 1)));
  await makeRequestMonths(months);
  while ((await dropOldRequestMonths(months, 2)).more);
  await deleteOldDeliveries(new DeliveryRetention(database));
  await new Retention(database).deleteDue(RETENTION_RULES);
  await rotateSigningKeys(keys);
}

/** Stores one young row of each kind, and one expired row of each kind that expires, by the database's clock. */
async function storeYoungAndOld(): Promise<void> {
  const { prisma, pool } = test.database;
  const at = (days: number) => new Date(NOW_MS + days * DAY_MS);
  const make = (ms: number) => pool.query('SELECT make_request_month($1)', [new Date(ms)]);
  await pool.query('DROP TABLE request_records_first');
  for (const days of [0, -200]) await make(NOW_MS + days * DAY_MS);
  await prisma.organization.create({ data: { id: 'org_1', name: 'Acme' } });
  await prisma.user.create({ data: { id: 'usr_1', email: 'a@example.com' } });
  await prisma.budget.create({
    data: {
      ...{ id: 'bud_1', organizationId: 'org_1', name: 'B', scope: 'organization', scopeId: 'org_1' },
      ...{ period: 'session', amountNanos: 1n, action: 'block', warnAtBps: 8_000 },
    },
  });
  const secret = { secretCiphertext: new Uint8Array(1), secretLast4: '0000' };
  await prisma.webhookEndpoint.create({
    data: { id: 'whe_1', organizationId: 'org_1', url: 'https://acme.example', eventTypes: [], ...secret },
  });
  for (const [age, ends] of [
    [0, 1],
    [-200, -1],
  ] as const) {
    const [eventId, made] = [idAt('event', NOW_MS + age * DAY_MS), { createdAt: at(age) }];
    const event = { id: eventId, organizationId: 'org_1', type: 'x', payload: '{}', ...made };
    await pool.query(
      `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos, created_at,
         status, cost_state, finished_at)
       VALUES ($1, 'org_1', 'key_1', 'edge_1', 'messages', 'acme/small', false, 0, $2, 'succeeded', 'final', $2)`,
      [idAt('request', NOW_MS + age * DAY_MS), at(age)],
    );
    await prisma.outboxEvent.create({ data: { ...event, publishedAt: at(age) } });
    await prisma.webhookEvent.create({ data: event });
    await prisma.webhookDelivery.create({
      data: {
        ...{
          id: idAt('webhookDelivery', NOW_MS + age * DAY_MS),
          eventId,
          eventType: 'x',
          endpointId: 'whe_1',
        },
        ...{ organizationId: 'org_1', status: 'succeeded', nextAttemptAt: null, ...made },
      },
    });
    await new SessionStore(test.database).createSession({
      sha256: Buffer.alloc(32, ends + 1),
      userId: 'usr_1',
      nowMs: NOW_MS + age * DAY_MS,
      expiresAtMs: NOW_MS + ends * DAY_MS,
    });
    await prisma.idempotencyClaim.create({
      data: {
        ...{ organizationId: 'org_1', key: String(ends), requestId: 'req_1', edgeInstanceId: 'edge_1' },
        ...{ fingerprintSha256: Buffer.alloc(32), expiresAt: at(ends) },
      },
    });
    await prisma.refusal.create({
      data: {
        ...{ organizationId: 'org_1', hour: at(age), projectId: '', apiKeyId: 'key_1', model: '' },
        ...{ code: 'x', httpStatus: 400, refusedCount: 1, lastAt: at(age), lastMessage: 'X.' },
      },
    });
    await pool.query('INSERT INTO failed_guesses VALUES ($1, $2)', [Buffer.alloc(32, ends + 1), at(ends)]);
    await prisma.budgetSpend.create({
      data: { budgetId: 'bud_1', periodKey: String(age), reviewDue: false, updatedAt: at(age) },
    });
  }
}

const TABLES = [
  'request_records',
  'outbox_events',
  'webhook_events',
  'webhook_deliveries',
  'console_sessions',
  'idempotency_claims',
  'budget_spends',
  'failed_guesses',
  'refusals',
];
const counts = async () => {
  const found: Record<string, number> = {};
  for (const table of TABLES) {
    const { rows } = await test.database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table}`,
    );
    found[table] = rows[0]!.count;
  }
  return found;
};
const ofEach = (count: number) => Object.fromEntries(TABLES.map((table) => [table, count]));
const keyStates = async () =>
  (await test.database.prisma.signingKey.findMany({ orderBy: { kid: 'asc' } })).map(({ kid, state }) => ({
    kid,
    state,
  }));

describe.each([120, -120])('a worker whose clock is %i days ahead', (aheadDays) => {
  it('deletes what is old by the database’s clock, and nothing that is young', async () => {
    await storeYoungAndOld();
    expect(await counts()).toEqual(ofEach(2));
    setClockOfThisProcess(aheadDays);
    await runAllRetention();
    expect(await counts()).toEqual(ofEach(1));
  });

  it('makes the months ahead of the database’s date, not of its own', async () => {
    const partitions = async () =>
      (await test.database.pool.query('SELECT partition::text FROM request_months ORDER BY to_id')).rows;
    // A migrated database may be copied from one of the month before.
    await makeRequestMonths(new RequestMonths(test.database));
    const before = await partitions();
    setClockOfThisProcess(aheadDays);
    await makeRequestMonths(new RequestMonths(test.database));
    jest.useRealTimers();
    await makeRequestMonths(new RequestMonths(test.database));
    expect(await partitions()).toEqual(before);
  });

  it('retires no signing key, and deletes none that verifies tokens', async () => {
    const keys = new SigningKeyStore(test.database, createSealer(Buffer.alloc(32, 1)));
    await rotateSigningKeys(keys);
    await test.database.pool.query(
      "UPDATE signing_keys SET created_at = created_at - interval '90 days' WHERE state = 'next'",
    );
    await rotateSigningKeys(keys);
    const before = await keyStates();
    expect(before.map(({ state }) => state).sort()).toEqual(['active', 'next', 'retired']);
    setClockOfThisProcess(aheadDays);
    await rotateSigningKeys(keys);
    expect(await keyStates()).toEqual(before);
  });
});
