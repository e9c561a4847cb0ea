import { type components } from '../../api/generated/management';

export type UsageRow = components['schemas']['UsageRow'];
export type UsageTotal = components['schemas']['UsageTotal'];

const groupings = ['model', 'project', 'api_key', 'provider', 'end_user'] as const;
export type Grouping = (typeof groupings)[number];

/** What calls can be grouped by. Usage of end users is summed by project alone (docs/end-users.md). */
export const groupingsFor = (endUser: string | undefined): readonly [Grouping, ...Grouping[]] =>
  endUser === undefined ? groupings : ['project', 'end_user'];

/** What calls are grouped by, of what is offered: a model without an end user, else a project. */
export function groupingOf(group: Grouping | undefined, endUser: string | undefined): Grouping {
  const offered = groupingsFor(endUser);
  return group !== undefined && offered.includes(group) ? group : offered[0];
}

const fields = {
  model: 'model',
  project: 'project_id',
  api_key: 'api_key_id',
  provider: 'provider',
  end_user: 'end_user_id',
} as const satisfies Record<Grouping, keyof UsageRow>;

/** The group of a row: its name or id; null for calls without one. Of an end user the name beside it, where one is kept. */
export type Group = { readonly id: string | null; readonly name?: string } | 'other';

export function groupOf(row: UsageRow, by: Grouping): Group {
  if (row.other === true) return 'other';
  const id = row[fields[by]] ?? null;
  return by === 'end_user' && typeof row.end_user === 'string' ? { id, name: row.end_user } : { id };
}

/** In place of an id: the end users beyond those that a day names. */
export const UNNAMED = '(other)';

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
