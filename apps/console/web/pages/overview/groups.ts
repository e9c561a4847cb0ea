import { type components } from '../../api/generated/management';

export type UsageRow = components['schemas']['UsageRow'];
export type UsageTotal = components['schemas']['UsageTotal'];

export const groupings = ['model', 'project', 'api_key', 'provider'] as const;
export type Grouping = (typeof groupings)[number];

const fields = {
  model: 'model',
  project: 'project_id',
  api_key: 'api_key_id',
  provider: 'provider',
} as const satisfies Record<Grouping, keyof UsageRow>;

/** The group of a row: its name or id; null for calls without one. */
export type Group = { readonly id: string | null } | 'other';

export const groupOf = (row: UsageRow, by: Grouping): Group =>
  row.other === true ? 'other' : { id: row[fields[by]] ?? null };

/** Tells groups of one grouping apart. Names and ids have a character, and no group's begins with a colon. */
export const groupKey = (group: Group): string => (group === 'other' ? ':other' : (group.id ?? ':none'));

/** What the groups are worth at each place of a chart. */
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

/** A share of one with four digits, of amounts that a `number` cannot hold. @returns 0 of nothing. */
export const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000;
