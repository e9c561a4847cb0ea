import { type components } from '../../api/generated/management';

export type UsageRow = components['schemas']['UsageRow'];
export type UsageTotal = components['schemas']['UsageTotal'];

const groupings = ['model', 'project', 'api_key', 'provider', 'end_user'] as const;
export type Grouping = (typeof groupings)[number];

/** Groupings of calls. Usage of end users is summed by project alone (docs/end-users.md). */
export const groupingsFor = (endUser: string | undefined): readonly [Grouping, ...Grouping[]] =>
  endUser === undefined ? groupings : ['project', 'end_user'];

/** The grouping of calls, of those that are offered: a model without an end user, else a project. */
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
