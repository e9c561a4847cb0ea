import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { RefusalStore, type RefusalCount } from './refusal-store';
import { RefusalSummaries, type RefusalQuery } from './refusal-summary';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const NOON_HOUR = NOON / HOUR_MS;

let test: TestDatabase;
let store: RefusalStore;
let summaries: RefusalSummaries;
beforeAll(async () => {
  test = await openTestDatabase();
  store = new RefusalStore(test.database);
  summaries = new RefusalSummaries(test.database);
});
afterAll(() => test.close());

const refused = (organizationId: string, more: Partial<RefusalCount> = {}): RefusalCount => ({
  organizationId,
  hourMs: NOON,
  projectId: null,
  apiKeyId: 'key_1',
  model: 'acme/small',
  code: 'rate_limit',
  httpStatus: 429,
  count: 1,
  lastAtMs: NOON + 1_000,
  lastMessage: 'Used up.',
  ...more,
});
let numbers = 0;
const add = (rows: readonly RefusalCount[], writerId = 'edge_1') =>
  store.addRefusals({ writerId, number: ++numbers, rows });
const summaryOf = (organizationId: string, more: Partial<RefusalQuery> = {}) => {
  const range = { firstHour: NOON_HOUR, endHour: NOON_HOUR + 1, groupBy: ['code'] as const };
  return summaries.summarize({ organizationId, ...range, ...more }, 100);
};

describe('counts of refused calls', () => {
  it('add up, with the time and the message of the last, whichever comes first', async () => {
    await add([refused('org_sum', { count: 3, lastAtMs: NOON + 9_000, lastMessage: 'The last.' })]);
    await add([refused('org_sum', { count: 4, lastMessage: 'Earlier.' })], 'edge_2');
    await add([refused('org_sum', { model: null, lastMessage: 'Of no model.' })]);
    expect(await summaryOf('org_sum')).toEqual([
      {
        code: 'rate_limit',
        httpStatus: 429,
        count: 8n,
        lastAt: new Date(NOON + 9_000),
        lastMessage: 'The last.',
      },
    ]);
  });

  it('are added once, however often a batch is sent, and also at once', async () => {
    const batch = { writerId: 'edge_again', number: 7, rows: [refused('org_again', { count: 5 })] };
    await Promise.all([store.addRefusals(batch), store.addRefusals(batch), store.addRefusals(batch)]);
    await store.addRefusals({ ...batch, number: 6 });
    expect(await summaryOf('org_again')).toMatchObject([{ count: 5n }]);
    await store.addRefusals({ ...batch, number: 8 });
    expect(await summaryOf('org_again')).toMatchObject([{ count: 10n }]);
  });

  it('are all written by many edges at once, in whatever order they have them', async () => {
    const rows = Array.from({ length: 50 }, (_, at) =>
      refused('org_many', { apiKeyId: `key_${String(at)}` }),
    );
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => add(at % 2 ? rows : rows.toReversed(), `edge_m${String(at)}`)),
    );
    expect(await summaryOf('org_many')).toMatchObject([{ count: 400n }]);
  });

  it('can have any message', async () => {
    await add([refused('org_odd', { lastMessage: 'No model `a\u0000\nb\ud800`.' })]);
    expect(await summaryOf('org_odd')).toMatchObject([{ lastMessage: 'No model `a b\ufffd`.' }]);
  });

  it('are summed by what is asked, the newest hour first, then the most frequent, and none of another organization', async () => {
    await add([
      refused('org_by', { code: 'not_found', httpStatus: 404, model: null, count: 2 }),
      refused('org_by', { projectId: 'prj_1', apiKeyId: 'key_2', count: 7 }),
      refused('org_by', { hourMs: NOON + HOUR_MS, count: 1 }),
      refused('org_by', { hourMs: NOON - HOUR_MS, count: 100 }),
      refused('org_other', { count: 1_000 }),
    ]);
    const range = { firstHour: NOON_HOUR, endHour: NOON_HOUR + 2 };
    expect(await summaryOf('org_by', { ...range, groupBy: ['hour', 'code', 'model'] })).toMatchObject([
      { hour: new Date(NOON + HOUR_MS), code: 'rate_limit', model: 'acme/small', count: 1n },
      { hour: new Date(NOON), code: 'rate_limit', httpStatus: 429, model: 'acme/small', count: 7n },
      { hour: new Date(NOON), code: 'not_found', httpStatus: 404, model: null, count: 2n },
    ]);
    expect(await summaryOf('org_by', { groupBy: ['project', 'api_key'] })).toMatchObject([
      { project: 'prj_1', apiKey: 'key_2', count: 7n },
      { project: null, apiKey: 'key_1', count: 2n },
    ]);
    for (const [filter, count] of [
      [{ projectId: 'prj_1' }, 7n],
      [{ apiKeyId: 'key_1' }, 2n],
      [{ model: 'acme/small' }, 7n],
      [{ code: 'not_found' }, 2n],
    ] as const) {
      expect(await summaryOf('org_by', filter)).toMatchObject([{ count }]);
    }
  });
});
