import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { abandonedSettlement, LedgerStore, RequestHistory, type Settlement } from '@svc/ledger/store';
import { holdOf, LedgerWorld, settlementOf } from '@svc/ledger/testing';
import { systemClock, systemIds } from '@svc/runtime';
import { UsageStore } from './usage-store';

let test: TestDatabase;
let world: LedgerWorld;
let ledger: LedgerStore;
beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  ledger = new LedgerStore(test.database);
});
afterAll(() => test.close());

const ended = (
  status: Settlement['status'],
  httpStatus: number | null,
  errorCode: string | null = null,
): Partial<Settlement> => ({ status, httpStatus, errorCode });

async function countsOf(organizationId: string) {
  const days = { firstDay: 0, endDay: 100_000 };
  const [row] = await new UsageStore(test.database).summarize(
    { organizationId, ...days, groupBy: ['model'] },
    1,
  );
  return [row?.requests, row?.failed, row?.cancelled].map(Number);
}

/** How many of the organization's requests the list shows as failed, and as not failed. */
async function listedOf(organizationId: string) {
  const history = new RequestHistory(test.database);
  const listed = (failed: boolean) =>
    history.listRequests(organizationId, { limit: 10, before: null }, { failed });
  const [failed, others] = await Promise.all([listed(true), listed(false)]);
  return [failed.items.length, others.items.length];
}

describe('a day of usage', () => {
  it.each([
    ['an answer', ended('succeeded', 200), [0, 0]],
    ['an answer without a usage report', ended('reconciliation_required', 200), [0, 0]],
    ['what a provider refused', ended('failed', 400, 'provider_http_400'), [0, 0]],
    ['a lost idempotency key', ended('failed', 409, 'idempotency_in_progress'), [0, 0]],
    ['a provider’s rate limit', ended('failed', 429, 'provider_rate_limit'), [1, 0]],
    ['a provider’s failure', ended('failed', 502, 'provider_error'), [1, 0]],
    ['a stream that broke off', ended('failed', 200, 'provider_error'), [1, 0]],
    [
      'a stream that broke off, of unknown usage',
      ended('reconciliation_required', 200, 'provider_error'),
      [1, 0],
    ],
    ['a caller that left a stream', ended('cancelled', 200), [0, 1]],
    ['a caller that left before an answer', ended('cancelled', null), [0, 1]],
    ['a caller that left a provider at work', ended('reconciliation_required', null), [0, 1]],
  ])('counts %s as failed or cancelled: %j, and the list of requests too', async (_, ending, outcomes) => {
    const organizationId = await world.newOrganization(1_000);
    const call = holdOf(organizationId, 50);
    await ledger.openHold(call);
    expect(await listedOf(organizationId)).toEqual([0, 1]);
    await ledger.settle({ ...settlementOf(call, 1), ...ending });
    expect(await countsOf(organizationId)).toEqual([1, ...outcomes]);
    const [failed = 0] = outcomes;
    expect(await listedOf(organizationId)).toEqual([failed, 1 - failed]);
  });

  it('adds up, and counts a call of a lost edge as failed', async () => {
    const organizationId = await world.newOrganization(1_000);
    const calls = [1, 2, 3, 4].map(() => holdOf(organizationId, 50));
    for (const call of calls) await ledger.openHold(call);
    const [lost, ...others] = calls;
    await Promise.all(
      others.map((call) =>
        ledger.settle({ ...settlementOf(call, 1), ...ended('failed', 503, 'overloaded') }),
      ),
    );
    const abandoned = { id: lost!.requestId, organizationId, model: lost!.model, createdAt: new Date() };
    await ledger.settle(abandonedSettlement(abandoned, systemIds, systemClock));
    expect(await countsOf(organizationId)).toEqual([4, 4, 0]);
    expect(await listedOf(organizationId)).toEqual([4, 0]);
  });
});
