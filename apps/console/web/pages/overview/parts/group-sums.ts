import { groupKey, groupOf, type Group, type Grouping, type UsageRow, type UsageTotal } from '../groups';

/** Sums of the groups at each place of a chart. */
interface GroupSeries {
  readonly group: Group;
  readonly values: readonly bigint[];
}

/** Spend of each group at each place: the most expensive group first, and "Other" last. Rows of no place are left out. */
export function spendSeries(
  rows: readonly UsageRow[],
  by: Grouping,
  unit: 'hour' | 'day',
  places: readonly string[],
): readonly GroupSeries[] {
  const placeOf = new Map(places.map((place, index) => [place, index]));
  const found = new Map<string, { group: Group; values: bigint[] }>();
  for (const row of rows) {
    const place = placeOf.get(row[unit] ?? '');
    if (place === undefined) continue;
    const group = groupOf(row, by);
    const key = groupKey(group);
    const series = found.get(key) ?? { group, values: places.map(() => 0n) };
    series.values[place] = (series.values[place] ?? 0n) + row.customer_nanos;
    found.set(key, series);
  }
  return [...found.values()].sort(
    (one, two) =>
      Number(one.group === 'other') - Number(two.group === 'other') ||
      compare(sum(two.values), sum(one.values)),
  );
}

/** Of amounts that are whole: those of every group, or of every place. */
export const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n);

const compare = (one: bigint, two: bigint): number => (one < two ? -1 : one > two ? 1 : 0);

/** The share of the input tokens that providers read from their caches; null without any. */
export function cachedShare({
  input_tokens: input,
  cached_input_tokens: cached,
  cache_write_tokens: written,
}: Pick<UsageTotal, 'input_tokens' | 'cached_input_tokens' | 'cache_write_tokens'>): number | null {
  const all = input + cached + written;
  return all === 0 ? null : cached / all;
}

/** A share of one with four digits, of amounts that a `number` cannot hold. @returns 0 of nothing. */
export const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000;
