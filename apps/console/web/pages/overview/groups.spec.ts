import fc from 'fast-check';
import { groupingOf, groupOf, groupKey, type UsageRow } from './groups';
import { cachedShare, shareOf, spendSeries, sum } from './parts/group-sums';
import { usageCsv } from './parts/usage-csv';

const counts = {
  requests: 1,
  failed: 0,
  cancelled: 0,
  input_tokens: 1,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 1,
  reasoning_tokens: 0,
  provider_nanos: 0n,
};
const rowOf = (day: string, model: string | null, customer_nanos: bigint): UsageRow => ({
  ...counts,
  ...(model === null ? { other: true as const } : { model }),
  day,
  customer_nanos,
});
const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
const rows = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom(...days),
      fc.option(fc.constantFrom('a/1', 'b/2', 'c/3', '=d/4')),
      fc.bigInt({ min: 0n, max: 10n ** 24n }),
    )
    .map(([day, model, nanos]) => rowOf(day, model, nanos)),
  { selector: ({ day, model }) => `${day ?? ''} ${model ?? ''}` },
);

describe('the cached share', () => {
  it('is of all input tokens, and none where there were none', () => {
    const tokens = { input_tokens: 10, cached_input_tokens: 80, cache_write_tokens: 10 };
    expect(cachedShare(tokens)).toBe(0.8);
    expect(cachedShare({ input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0 })).toBeNull();
  });
});

describe('spend by group', () => {
  it('adds up to the nano to what the rows have, and so does the file', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const whole = sum(given.map(({ customer_nanos }) => customer_nanos));
        const series = spendSeries(given, 'model', 'day', days);
        expect(sum(series.flatMap(({ values }) => values))).toBe(whole);
        const lines = usageCsv(given, 'model').trimEnd().split('\r\n').slice(1);
        expect(sum(lines.map((line) => BigInt(line.split(',').at(-2) ?? '')))).toBe(whole);
      }),
    );
  });

  it('has the most expensive group first and the others last, each with a value for every day', () => {
    const series = spendSeries(
      [rowOf('2026-11-20', null, 9n), rowOf('2026-11-22', 'a/1', 3n), rowOf('2026-11-21', 'b/2', 5n)],
      'model',
      'day',
      days,
    );
    expect(series.map(({ group, values }) => [groupKey(group), values])).toEqual([
      ['b/2', [0n, 5n, 0n]],
      ['a/1', [0n, 0n, 3n]],
      [':other', [9n, 0n, 0n]],
    ]);
  });

  it('tells calls without a group from those of any group', () => {
    const none: UsageRow = { ...counts, day: days[0] ?? '', provider: null, customer_nanos: 1n };
    expect(spendSeries([none], 'provider', 'day', days)[0]?.group).toEqual({ id: null });
  });

  it('has the name of an end user beside the id, and the id alone where no name is kept', () => {
    const row = { ...counts, customer_nanos: 1n, end_user_id: 'eu_1' };
    expect(groupOf({ ...row, end_user: 'ana' }, 'end_user')).toEqual({ id: 'eu_1', name: 'ana' });
    expect(groupOf({ ...row, end_user: null }, 'end_user')).toEqual({ id: 'eu_1' });
    expect(usageCsv([{ ...row, end_user: 'ana' }], 'end_user')).toMatch(
      /^end_user_id,end_user,.*\r\neu_1,ana,/,
    );
  });

  it('is in the file beside what own accounts paid, where one did', () => {
    const row = rowOf('2026-11-20', 'a/1', 1n);
    expect(usageCsv([row], 'model')).toMatch(/,customer_nanos,customer_usd\r\n/);
    const own = { ...row, model: 'b/2', provider_nanos: 2_000_000_000n };
    const [headers, first, second] = usageCsv([row, own], 'model').split('\r\n');
    expect(headers).toMatch(/,customer_usd,provider_nanos,provider_usd$/);
    expect(first).toMatch(/,0,0\S*$/);
    expect(second).toMatch(/,2000000000,2\S*$/);
  });

  it('is by project or end user alone where the calls are those of an end user', () => {
    expect(groupingOf(undefined, undefined)).toBe('model');
    expect(groupingOf('model', 'ana')).toBe('project');
    expect(groupingOf('end_user', 'ana')).toBe('end_user');
  });

  it.each([
    [0n, 0n, 0],
    [1n, 3n, 0.3333],
    [10n ** 30n, 10n ** 30n, 1],
  ])('%d of %d is a share of %d', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });
});
