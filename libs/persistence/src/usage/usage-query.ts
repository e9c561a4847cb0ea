import { Prisma } from '../generated/prisma/client';

export const usageGroupings = ['hour', 'day', 'model', 'project', 'api_key', 'provider', 'tag'] as const;
type UsageGrouping = (typeof usageGroupings)[number];
export const isUsageGrouping = (text: string): text is UsageGrouping =>
  (usageGroupings as readonly string[]).includes(text);

const timeGroupings = ['hour', 'day'] as const;
type TimeGrouping = (typeof timeGroupings)[number];
export const isTimeGrouping = (grouping: UsageGrouping): grouping is TimeGrouping =>
  (timeGroupings as readonly UsageGrouping[]).includes(grouping);

/** Which of an organization's usage to sum up. */
export interface UsageQuery {
  readonly organizationId: string;
  readonly groupBy: readonly UsageGrouping[];
  /** Only these groups are named, by all of `groupBy` but times. All others are one. Absent: all are named. */
  readonly among?: readonly UsageGroup[] | undefined;
  readonly projectId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly tag?: string | undefined;
}

/** What a row sums up. Only the requested groupings are present. */
export interface UsageGroup {
  /** The start of the hour. */
  readonly hour?: Date;
  /** `YYYY-MM-DD`. */
  readonly day?: string;
  readonly model?: string | null;
  /** Null: calls without a project. */
  readonly project?: string | null;
  readonly apiKey?: string | null;
  /** Null: calls that no provider answered. */
  readonly provider?: string | null;
  /** Null: calls without the label that the organization declared. `(other)`: see `book_usage_tags`. */
  readonly tag?: string | null;
  /** Whether it is all groups that are not among the named ones. All but its time is null then. */
  readonly isOther?: boolean;
}

const names = {
  hour: { alias: Prisma.sql`hour`, field: 'hour' },
  day: { alias: Prisma.sql`day`, field: 'day' },
  model: { alias: Prisma.sql`model`, field: 'model' },
  project: { alias: Prisma.sql`project`, field: 'project' },
  api_key: { alias: Prisma.sql`"apiKey"`, field: 'apiKey' },
  provider: { alias: Prisma.sql`provider`, field: 'provider' },
  tag: { alias: Prisma.sql`tag`, field: 'tag' },
} as const;

/** What a table has as each grouping. A day is a date. */
type UsageColumns = Readonly<Partial<Record<UsageGrouping, Prisma.Sql>>>;

/** Of every table of usage. */
export const USAGE_COLUMNS = {
  model: Prisma.sql`model`,
  project: Prisma.sql`project_id`,
  api_key: Prisma.sql`api_key_id`,
  provider: Prisma.sql`provider`,
} as const;

/** The parts of a statement that groups rows of sums. */
interface Grouped {
  /** To select: the fields of a group, under these names. */
  readonly shown: Prisma.Sql;
  readonly names: Prisma.Sql;
  /** To group by. */
  readonly keys: readonly Prisma.Sql[];
  /** The newest first, and the group of all others last. */
  readonly order: readonly Prisma.Sql[];
  /** Follows the table. */
  readonly join: Prisma.Sql;
}

export function grouped({ groupBy, among }: UsageQuery, columns: UsageColumns): Grouped {
  const named = groupBy.filter((grouping) => !isTimeGrouping(grouping));
  const isTop = among !== undefined && named.length > 0;
  const groups = groupBy.map((grouping) => {
    const column = columns[grouping] ?? Prisma.empty;
    const { alias } = names[grouping];
    if (isTimeGrouping(grouping)) {
      const shown = grouping === 'day' ? Prisma.sql`to_char(${column}, 'YYYY-MM-DD')` : column;
      return { alias, key: column, shown };
    }
    const key = isTop ? Prisma.sql`CASE WHEN ${IS_NAMED} THEN ${column} END` : column;
    return { alias, key, shown: Prisma.sql`nullif(${key}, '')` };
  });
  if (isTop) {
    groups.push({ alias: Prisma.sql`"isOther"`, key: IS_NAMED, shown: Prisma.sql`(${IS_NAMED} IS NULL)` });
  }
  const times = groupBy.filter(isTimeGrouping).flatMap((grouping) => columns[grouping] ?? []);
  return {
    shown: Prisma.join(groups.map(({ shown, alias }) => Prisma.sql`${shown} AS ${alias}`)),
    names: Prisma.join(groups.map(({ alias }) => alias)),
    keys: groups.map(({ key }) => key),
    order: [...times.map((time) => Prisma.sql`${time} DESC`), ...(isTop ? [IS_NAMED] : [])],
    join: isTop ? joinNamed(named, among, columns) : Prisma.empty,
  };
}

const IS_NAMED = Prisma.sql`named.is_named`;

function joinNamed(
  named: readonly UsageGrouping[],
  among: readonly UsageGroup[],
  columns: UsageColumns,
): Prisma.Sql {
  const on = Prisma.join(named.map((grouping) => columns[grouping] ?? Prisma.empty));
  const values = named.map((grouping) => {
    const { field } = names[grouping];
    return Prisma.sql`${among.map((group) => group[field] ?? '')}::text[]`;
  });
  return Prisma.sql`LEFT JOIN (
    SELECT ${on}, true AS is_named FROM unnest(${Prisma.join(values)}) AS of (${on})
  ) named USING (${on})`;
}

export const filtersOf = (query: UsageQuery): readonly Prisma.Sql[] => [
  Prisma.sql`organization_id = ${query.organizationId}`,
  ...(query.projectId === undefined ? [] : [Prisma.sql`project_id = ${query.projectId}`]),
  ...(query.apiKeyId === undefined ? [] : [Prisma.sql`api_key_id = ${query.apiKeyId}`]),
  ...(query.model === undefined ? [] : [Prisma.sql`model = ${query.model}`]),
  ...(query.provider === undefined ? [] : [Prisma.sql`provider = ${query.provider}`]),
  ...(query.tag === undefined ? [] : [Prisma.sql`tag = ${query.tag}`]),
];
