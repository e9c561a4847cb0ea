import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import fc from 'fast-check';
import { TIME_BOUNDS } from '../../rules/histogram';
import { type UsageQuery } from '../usage/usage-query';
import { callMinute, histogramOf } from '../../testing';
import { CallHourStore } from './call-hour-store';
import { CallMinuteStore, type CallMinute } from './call-minute-store';
import { MinuteUsage, type CountedTimes } from './minute-usage';

const HOUR_MS = 3_600_000;
const HOURS = 30;
const START_MS = (Math.floor(Date.now() / HOUR_MS) - HOURS - 10) * HOUR_MS;
const RANGE = { start: new Date(START_MS), end: new Date(START_MS + HOURS * HOUR_MS) };
const WRITER = '00000000-0000-4000-8000-000000000001';

let test: TestDatabase;
let minutes: CallMinuteStore;
let hours: CallHourStore;
let usage: MinuteUsage;
beforeAll(async () => {
  test = await openTestDatabase();
  minutes = new CallMinuteStore(test.database);
  hours = new CallHourStore(test.database);
  usage = new MinuteUsage(test.database);
});
afterAll(() => test.close());
beforeEach(() => clear());

const query = (sql: string) => test.database.pool.query(sql);
const clear = () => query('TRUNCATE call_minutes, call_hours, call_hours_due');
const sumUpAll = async () => {
  while ((await hours.sumUp(7, 0)) > 0);
};
const markAll = () =>
  query(`INSERT INTO call_hours_due SELECT DISTINCT organization_id, date_trunc('hour', minute, 'UTC'), now() FROM call_minutes
    ON CONFLICT DO NOTHING`);

const minuteAt = (atMs: number, more: Partial<CallMinute> = {}): CallMinute =>
  callMinute({ writerId: WRITER, minuteMs: atMs, ...more });

const some = fc.nat(1_000);
const times = fc
  .array(fc.tuple(fc.nat(TIME_BOUNDS - 1), fc.integer({ min: 1, max: 4_000_000 })), { maxLength: 4 })
  .map((counts) => histogramOf(Object.fromEntries(counts)));
const anyMinute: fc.Arbitrary<CallMinute> = fc
  .record({
    organizationId: fc.constantFrom('org_1', 'org_2'),
    // An hour on either side of the range, too.
    minuteMs: fc.integer({ min: -60, max: (HOURS + 1) * 60 - 1 }).map((nth) => START_MS + nth * 60_000),
    projectId: fc.constantFrom(null, 'prj_1'),
    apiKeyId: fc.constantFrom('key_1', 'key_2'),
    model: fc.constantFrom('acme/small', 'acme/large'),
    provider: fc.constantFrom(null, 'acme', 'other'),
    writerId: fc.constantFrom(WRITER, '00000000-0000-4000-8000-000000000002'),
    // Without calls a provider was only asked.
    calls: fc.constantFrom(0, 1, 2_000_000_000),
    failures: some,
    cancelled: some,
    inputTokens: fc.constantFrom(7, Number.MAX_SAFE_INTEGER),
    cachedInputTokens: some,
    cacheWriteTokens: some,
    outputTokens: some,
    reasoningTokens: some,
    spentNanos: fc.constantFrom(1, 570, Number.MAX_SAFE_INTEGER),
    durations: times,
    timesToFirstToken: times,
  })
  .map((minute) =>
    minute.calls > 0
      ? { ...minute, tries: 1 }
      : { ...minute, tries: 1, durations: histogramOf({}), timesToFirstToken: histogramOf({}) },
  );
const keyOf = (minute: CallMinute) =>
  [
    minute.organizationId,
    minute.minuteMs,
    minute.projectId,
    minute.apiKeyId,
    minute.model,
    minute.provider,
    minute.writerId,
  ].join();
const anyMinutes = fc.uniqueArray(anyMinute, { selector: keyOf, minLength: 1, maxLength: 60 });

const ofOrganization = { organizationId: 'org_1', groupBy: [] };
const QUESTIONS: readonly UsageQuery[] = [
  { ...ofOrganization, groupBy: ['hour'] },
  { ...ofOrganization, groupBy: ['day', 'model', 'provider'] },
  { ...ofOrganization, groupBy: ['hour', 'project', 'api_key'], model: 'acme/small' },
  { ...ofOrganization, groupBy: ['api_key'], projectId: 'prj_1', provider: 'acme' },
  { ...ofOrganization, groupBy: ['hour', 'model'], among: [{ model: 'acme/large' }], apiKeyIds: ['key_2'] },
];

const byBound = (counted: readonly CountedTimes[]) =>
  counted
    .map(({ bounds, counts, ...group }) => ({
      group: JSON.stringify(group),
      times: bounds.map((bound, at) => [bound, counts[at] ?? 0] as const).sort(([a], [b]) => a - b),
    }))
    .sort((a, b) => a.group.localeCompare(b.group));

/** To every question, over the whole range and over a piece of it. */
async function answers() {
  const piece = { start: new Date(START_MS + 5 * HOUR_MS), end: new Date(START_MS + 11 * HOUR_MS) };
  const asked = [RANGE, piece].flatMap((range) => QUESTIONS.map((question) => ({ ...question, ...range })));
  return Promise.all(
    asked.map(async (question) => ({
      rows: await usage.summarize(question, 10_000),
      durations: byBound(await usage.durations(question)),
      timesToFirstToken: byBound(await usage.timesToFirstToken(question)),
    })),
  );
}

describe('sums of calls by the hour', () => {
  it('answer every question as the minutes do, also those that come late', async () => {
    await fc.assert(
      fc.asyncProperty(anyMinutes, fc.nat(59), async (written, firstLate) => {
        await clear();
        await minutes.write(written.slice(0, firstLate));
        const fromMinutes = await answers();
        await sumUpAll();
        expect(await answers()).toEqual(fromMinutes);

        await minutes.write(written.slice(firstLate));
        const partly = await answers();
        await sumUpAll();
        expect(await answers()).toEqual(partly);
        await markAll();
        expect(await answers()).toEqual(partly);
      }),
      { numRuns: 25 },
    );
  });

  it('are what an answer is read from once an hour is summed up', async () => {
    await minutes.write([minuteAt(START_MS), minuteAt(START_MS + 60_000, { calls: 4 })]);
    const fromMinutes = await answers();
    await sumUpAll();
    await query('TRUNCATE call_minutes');
    expect(await answers()).toEqual(fromMinutes);
    expect(fromMinutes[0]?.rows).toMatchObject([{ hour: RANGE.start, requests: 5n, customerNanos: 1140n }]);
  });

  it('leave the hour that goes on, and those whose minutes still change, to the minutes', async () => {
    const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
    await minutes.write([minuteAt(nowMs), minuteAt(START_MS)]);
    expect(await hours.sumUp(10, 60_000)).toBe(0);
    expect(await hours.sumUp(10, 0)).toBe(1);
    const due = await test.database.prisma.callHourDue.findMany();
    expect(due.map(({ hour }) => hour.getTime())).toEqual([Math.floor(nowMs / HOUR_MS) * HOUR_MS]);
  });

  it('are not made of an hour whose minutes are being written, and of one hour by one worker only', async () => {
    await minutes.write([minuteAt(START_MS)]);
    const edge = await test.database.pool.connect();
    try {
      await edge.query('BEGIN');
      await edge.query('UPDATE call_minutes SET calls = 9');
      expect(await hours.sumUp(10, 0)).toBe(0);
      await edge.query('COMMIT');
    } finally {
      edge.release();
    }
    const summed = await Promise.all([1, 2, 3].map(() => hours.sumUp(10, 0)));
    expect(summed.toSorted()).toEqual([0, 0, 1]);
    expect(await test.database.prisma.callHour.findMany()).toMatchObject([{ calls: 9n }]);
  });
});
