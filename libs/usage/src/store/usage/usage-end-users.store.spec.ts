import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld, settlementOf } from '@svc/ledger/testing';
import { UsageStore } from './usage-store';

const DAYS = { firstDay: 0, endDay: 100_000 };

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

async function call(
  organizationId: string,
  id: string | null,
  fields: { at?: number; name?: string; max?: number; charge?: number; projectId?: string } = {},
) {
  const { at = 0, name = null, max = 1_000, charge = 1, projectId = null } = fields;
  const endUser = id === null ? null : { id, name, namedPerDayMax: max };
  const hold = holdOf(organizationId, 50, { endUser, projectId });
  const edge = edges[at % 2]!;
  await edge.openHold(hold);
  await edge.settle(settlementOf(hold, charge));
}

const charged = async (organizationId: string, endUserId?: string) => {
  const rows = await usage.summarize({ organizationId, ...DAYS, groupBy: ['end_user'], endUserId }, 10_000);
  return Object.fromEntries(rows.map((row) => [String(row.endUserId), Number(row.customerNanos)]));
};

describe('usage by end user', () => {
  it('is exact by person and project, and leaves out calls that are for nobody in particular', async () => {
    const organizationId = await world.newOrganization(1_000);
    await call(organizationId, 'eu_1', { charge: 5, name: 'ana' });
    await call(organizationId, 'eu_1', { charge: 7, projectId: 'proj_1' });
    await call(organizationId, 'eu_2', { charge: 11 });
    await call(organizationId, null, { charge: 13 });
    expect(await charged(organizationId)).toEqual({ eu_1: 12, eu_2: 11 });
    expect(await charged(organizationId, 'eu_2')).toEqual({ eu_2: 11 });
    expect(await usage.namesOf(organizationId, ['eu_1', 'eu_2'])).toEqual(new Map([['eu_1', 'ana']]));
    const byProject = await usage.summarize(
      { organizationId, ...DAYS, groupBy: ['end_user', 'project'], projectId: 'proj_1' },
      10,
    );
    expect(
      byProject.map(({ endUserId, project, customerNanos }) => [endUserId, project, customerNanos]),
    ).toEqual([['eu_1', 'proj_1', 7n]]);
  });

  it('names the first of a day, at once over two edges, and sums up all others as (other)', async () => {
    const organizationId = await world.newOrganization(100_000);
    const people = Array.from({ length: 60 }, (_, at) => `eu_${String(at)}`);
    await Promise.all(
      [...people, ...people].map((id, at) => call(organizationId, id, { at, max: 25, name: id })),
    );
    const named = await charged(organizationId);
    expect(Object.keys(named)).toHaveLength(26);
    expect(named['(other)']).toBe(70);
    expect(Object.values(named).reduce((sum, nanos) => sum + nanos, 0)).toBe(120);
    expect((await usage.namesOf(organizationId, ['(other)'])).size).toBe(0);
    expect(await test.database.prisma.endUserDay.findMany({ where: { organizationId } })).toMatchObject([
      { named: 25 },
    ]);
  });

  it('shows nobody whose only call has not ended', async () => {
    const organizationId = await world.newOrganization(1_000);
    const endUser = { id: 'eu_1', name: null, namedPerDayMax: 10 };
    await edges[0].openHold(holdOf(organizationId, 50, { endUser }));
    expect(await charged(organizationId)).toEqual({});
  });
});
