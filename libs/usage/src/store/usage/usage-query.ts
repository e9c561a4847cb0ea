import { Prisma } from '@svc/database/rows';

export const usageGroupings = [
  'hour',
  'day',
  'model',
  'project',
  'api_key',
  'provider',
  'tag',
  'end_user',
] as const;
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
  /** Any of them. */
  readonly apiKeyIds?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly tag?: string | undefined;
  /** By the id. */
  readonly endUserId?: string | undefined;
}

/** The groupings of a row. Only the requested groupings are present. */
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
  /** `eu_…`, or `(other)`: see `book_end_users`. */
  readonly endUserId?: string | null;
  /** True where it is all groups that are not among the named ones. All but its time is null then. */
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
  end_user: { alias: Prisma.sql`"endUserId"`, field: 'endUserId' },
} as const;

/** The column of a table for each grouping. A day is a date. */
type UsageColumns = Readonly<Partial<Record<UsageGrouping, Prisma.Sql>>>;

/** Of every table of usage. */
export const USAGE_COLUMNS = {
  model: Prisma.sql`model`,
  project: Prisma.sql`project_id`,
  api_key: Prisma.sql`api_key_id`,
  provider: Prisma.sql`provider`,
} as const;

/**
 * The parts of a statement that sums up rows. It does so twice: a table is summed up by its own columns, as `s`, and only these
 * sums are joined with the groups that are named.
 */
interface Grouped {
  /** To select from the table. */
  readonly columns: Prisma.Sql;
  /** To group the table by. */
  readonly tableKeys: Prisma.Sql;
  /** To select from `s`: the fields of a group. */
  readonly shown: Prisma.Sql;
  /** To group `s` by. */
  readonly keys: readonly Prisma.Sql[];
  /** The newest first, and the group of all others last. */
  readonly order: readonly Prisma.Sql[];
  /** Follows `s`. */
  readonly join: Prisma.Sql;
}

export function grouped({ groupBy, among }: UsageQuery, columns: UsageColumns): Grouped {
  const named = groupBy.filter((grouping) => !isTimeGrouping(grouping));
  const isTop = among !== undefined && named.length > 0;
  const fields = groupBy.map((grouping) => {
    const { alias } = names[grouping];
    const own = Prisma.sql`s.${alias}`;
    const isKept = isTimeGrouping(grouping) || !isTop;
    const key = isKept ? own : Prisma.sql`CASE WHEN ${IS_NAMED} THEN ${own} END`;
    return { column: columns[grouping] ?? Prisma.empty, alias, key, shown: shownAs(grouping, key) };
  });
  const isOther = Prisma.sql`(${IS_NAMED} IS NULL) AS "isOther"`;
  return {
    columns: Prisma.join(fields.map(({ column, alias }) => Prisma.sql`${column} AS ${alias}`)),
    tableKeys: Prisma.join(fields.map(({ column }) => column)),
    shown: Prisma.join([
      ...fields.map(({ shown, alias }) => Prisma.sql`${shown} AS ${alias}`),
      ...(isTop ? [isOther] : []),
    ]),
    keys: [...fields.map(({ key }) => key), ...(isTop ? [IS_NAMED] : [])],
    order: [
      ...groupBy.filter(isTimeGrouping).map((time) => Prisma.sql`s.${names[time].alias} DESC`),
      ...(isTop ? [IS_NAMED] : []),
    ],
    join: isTop ? joinNamed(named, among) : Prisma.empty,
  };
}

const IS_NAMED = Prisma.sql`named.is_named`;

function shownAs(grouping: UsageGrouping, key: Prisma.Sql): Prisma.Sql {
  if (grouping === 'hour') return key;
  return grouping === 'day' ? Prisma.sql`to_char(${key}, 'YYYY-MM-DD')` : Prisma.sql`nullif(${key}, '')`;
}

function joinNamed(named: readonly UsageGrouping[], among: readonly UsageGroup[]): Prisma.Sql {
  const on = Prisma.join(named.map((grouping) => names[grouping].alias));
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
  ...(query.apiKeyIds === undefined ? [] : [Prisma.sql`api_key_id = ANY (${query.apiKeyIds})`]),
  ...(query.model === undefined ? [] : [Prisma.sql`model = ${query.model}`]),
  ...(query.provider === undefined ? [] : [Prisma.sql`provider = ${query.provider}`]),
  ...(query.tag === undefined ? [] : [Prisma.sql`tag = ${query.tag}`]),
  ...(query.endUserId === undefined ? [] : [Prisma.sql`end_user_id = ${query.endUserId}`]),
];
