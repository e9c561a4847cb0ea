import { Retention } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type HoldRequest, LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld, settlementOf } from '@svc/ledger/testing';
import { usageRetention } from '../usage-retention';
import { UsageStore } from './usage-store';

const TAGS_MAX = 1_000;

let test: TestDatabase;
let world: LedgerWorld;
let edges: readonly [LedgerStore, LedgerStore];
let usage: UsageStore;
beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  edges = [new LedgerStore(test.database), new LedgerStore(test.database)];
  usage = new UsageStore(test.database);
});
afterAll(() => test.close());

async function run(call: HoldRequest, charge = 1, at = 0): Promise<void> {
  const edge = edges[at % 2]!;
  await edge.openHold(call);
  await edge.settle(settlementOf(call, charge));
}

/** The charges, by tag. */
async function chargedByTag(organizationId: string, tag?: string): Promise<Record<string, number>> {
  const days = { firstDay: 0, endDay: 100_000 };
  const rows = await usage.summarize({ organizationId, ...days, groupBy: ['tag'], tag }, 10_000);
  return Object.fromEntries(rows.map((row) => [String(row.tag), Number(row.customerNanos)]));
}

const bookedTags = (organizationId: string): Promise<number> =>
  test.database.prisma.usageDayTag.count({ where: { organizationId } });

describe('usage by tag', () => {
  it('keeps calls apart by their tag, and those without one', async () => {
    const organizationId = await world.newOrganization(1_000);
    for (const [usageTag, charge] of [
      ['search', 5],
      ['ads', 7],
      ['search', 11],
      [null, 13],
    ] as const) {
      await run(holdOf(organizationId, 50, { usageTag }), charge);
    }
    expect(await chargedByTag(organizationId)).toEqual({ search: 16, ads: 7, null: 13 });
    expect(await chargedByTag(organizationId, 'ads')).toEqual({ ads: 7 });
  });

  it('loses nothing of calls at once, over two edges', async () => {
    const organizationId = await world.newOrganization(1_000_000);
    const calls = Array.from({ length: 300 }, (_, at) =>
      holdOf(organizationId, 10, { usageTag: at % 4 === 0 ? null : `team ${String(at % 4)}` }),
    );
    await Promise.all(calls.map((call, at) => run(call, 2, at)));
    expect(await chargedByTag(organizationId)).toEqual({
      null: 150,
      'team 1': 150,
      'team 2': 150,
      'team 3': 150,
    });
    expect(await bookedTags(organizationId)).toBe(3);
  });

  it('sums what is beyond the first 1,000 tags of a day as (other), also when two edges reach the bound at once', async () => {
    const [organizationId, other] = [
      await world.newOrganization(1_000_000),
      await world.newOrganization(1_000),
    ];
    await test.database.pool.query(
      `INSERT INTO usage_day_tags SELECT $1, (now() AT TIME ZONE 'UTC')::date, 'old ' || i FROM generate_series(1, $2::int) i`,
      [organizationId, TAGS_MAX - 40],
    );
    const calls = Array.from({ length: 100 }, (_, at) =>
      holdOf(organizationId, 10, { usageTag: `user ${String(at)}` }),
    );
    await Promise.all([
      ...calls.map((call, at) => run(call, 3, at)),
      run(holdOf(other, 10, { usageTag: 'user 99' })),
    ]);
    await run(holdOf(organizationId, 10, { usageTag: 'old 7' }), 5);
    const { '(other)': rest, 'old 7': known, ...named } = await chargedByTag(organizationId);
    expect([rest, known]).toEqual([180, 5]);
    expect(Object.values(named)).toEqual(Array.from({ length: 40 }, () => 3));
    expect(await bookedTags(organizationId)).toBe(TAGS_MAX);
    expect(await chargedByTag(other)).toEqual({ 'user 99': 1 });
  });

  it('counts no tag of a call that is refused', async () => {
    const organizationId = await world.newOrganization(10);
    expect((await edges[0].openHold(holdOf(organizationId, 11, { usageTag: 'search' }))).held).toBeNull();
    expect(await bookedTags(organizationId)).toBe(0);
  });

  it('goes by the tag of the hold, whoever settles the call', async () => {
    const organizationId = await world.newOrganization(100);
    const call = holdOf(organizationId, 10, { usageTag: 'search' });
    await edges[0].openHold(call);
    expect(await edges[1].settle(settlementOf(call, 4))).toBe(true);
    expect(await edges[0].settle(settlementOf(call, 4))).toBe(false);
    expect(await chargedByTag(organizationId)).toEqual({ search: 4 });
  });

  it('takes calls of the version before, which sends neither labels nor tags', async () => {
    const organizationId = await world.newOrganization(100);
    const { requestId } = holdOf(organizationId, 10);
    const hold = {
      request_id: requestId,
      organization_id: organizationId,
      api_key_id: 'key_1',
      edge_instance_id: 'e',
    };
    const batch = [{ ...hold, route: 'messages', model: 'm', stream: false, hold_min: 1, hold_max: 5 }];
    await test.database.pool.query('SELECT FROM book_calls(NULL, $1, $2, true)', [
      JSON.stringify(batch),
      [organizationId],
    ]);
    expect(await test.database.prisma.requestRecord.findUnique({ where: { id: requestId } })).toMatchObject({
      heldNanos: 5n,
      traceId: null,
      labels: null,
      usageTag: null,
    });
  });

  it('forgets the list of tags of days before yesterday, and no usage', async () => {
    const organizationId = await world.newOrganization(100);
    await run(holdOf(organizationId, 10, { usageTag: 'search' }));
    await test.database.pool.query(
      `INSERT INTO usage_day_tags SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, 'old' FROM generate_series(1, 4) ago`,
      [organizationId],
    );
    await new Retention(test.database).deleteDue(usageRetention);
    expect(await bookedTags(organizationId)).toBe(2);
    expect(await chargedByTag(organizationId)).toEqual({ search: 1 });
  });
});
