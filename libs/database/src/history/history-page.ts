import { formatId, ID_ENTROPY_BYTES, idPrefixes, type IdKind, type Page, type Slice } from '@svc/kernel';
import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';

/** A table that an organization's activity keeps growing, with an index on (organization_id, id). */
export interface HistoryTable {
  readonly name: Prisma.Sql;
  readonly idKind: IdKind;
  /** The columns to read, named as in the record, with the id among them. A subquery names the table. */
  readonly columns: Prisma.Sql;
  readonly isPartitioned?: boolean;
}

/** A span of time, its start included and its end not. A missing side is unbounded. */
export interface CreatedWithin {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export interface HistoryQuery {
  readonly organizationId: string;
  /** Only the rows of one resource of the organization. There is an index on (column, id). */
  readonly of?: { readonly column: Prisma.Sql; readonly id: string };
  readonly page: Page;
  readonly within: CreatedWithin;
  /** Further conditions, which no index serves. */
  readonly conditions: readonly Prisma.Sql[];
}

/** The condition that a column has one of these values, of which there is at least one. */
export const isAnyOf = (column: Prisma.Sql, values: readonly (string | number)[]): Prisma.Sql =>
  Prisma.sql`${column} IN (${Prisma.join([...values])})`;

/** The most rows scanned for a page, however few of them match. They take some 30 ms when in memory. */
export const SCAN_MAX = 25_000;

/** Reads a page of an organization's history, newest first. A page may hold less than its limit and not be the last. */
export async function readHistory<Row extends { readonly id: string }>(
  { prisma }: Database,
  table: HistoryTable,
  query: HistoryQuery,
): Promise<Slice<Row>> {
  const rows = await readUnsorted<Row & ScannedRow>(prisma, table, historyPage(table, query));
  return sliceOfScan(rows, query.page);
}

/** The page made from the rows of a bounded scan. */
export function sliceOfScan<Row extends { readonly id: string } & ScannedRow>(
  rows: readonly Row[],
  { limit }: Page,
): Slice<Row> {
  const found = rows.filter(({ matches }) => matches);
  if (found.length > limit) return { items: found.slice(0, limit), hasMore: true };
  const end = rows.find(({ endsScan }) => endsScan);
  if (end === undefined) return { items: found, hasMore: false };
  return { items: found, hasMore: true, nextBefore: end.id };
}

/**
 * A page of a partitioned history is one range of each partition, merged: the newest rows come first. For an
 * organization that PostgreSQL estimates as small, it would instead read and sort all its rows of every partition.
 */
export async function readUnsorted<Row>(
  prisma: Database['prisma'],
  { isPartitioned = false }: HistoryTable,
  page: Prisma.Sql,
): Promise<readonly Row[]> {
  const reading = prisma.$queryRaw<Row[]>(page);
  if (!isPartitioned) return reading;
  const [, rows] = await prisma.$transaction([prisma.$executeRaw`SET LOCAL enable_sort = off`, reading]);
  return rows;
}

export interface ScannedRow {
  /** Null where a condition met a null. */
  readonly matches: boolean | null;
  readonly endsScan: boolean;
}

/**
 * One range of the index on (organization_id, id), or on one resource, read until the page is full or SCAN_MAX rows are
 * scanned. The row where the scan ends is always returned, because the next page begins there.
 *
 * Organization and id are compared and sorted as a pair, because PostgreSQL may use `organization_id = …` as a filter
 * over the primary key. It does so where an organization owns much of the table, and then scans every row that others
 * have added since the organization's last one.
 */
export function historyPage(table: HistoryTable, query: HistoryQuery) {
  const { organizationId, page, within, conditions } = query;
  const { column, id } = query.of ?? { column: Prisma.sql`organization_id`, id: organizationId };
  const [from, to] = idRange(table.idKind, page.before, within);
  const matches = conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
  return Prisma.sql`
    SELECT ${table.columns}, matches, ends_scan AS "endsScan" FROM (
      SELECT *, (${matches}) AS matches,
        row_number() OVER (ORDER BY ${column} DESC, id DESC) = ${SCAN_MAX} AS ends_scan
      FROM ${table.name}
      WHERE (${column}, id) >= (${id}, ${from}) AND (${column}, id) < (${id}, ${to})
      ORDER BY ${column} DESC, id DESC LIMIT ${SCAN_MAX}
    ) ${table.name}
    WHERE matches OR ends_scan
    ORDER BY ${column} DESC, id DESC LIMIT ${page.limit + 1}`;
}

const NO_ENTROPY = new Uint8Array(ID_ENTROPY_BYTES);

/** Ids sort by their time, so a span of time is a range of ids, the first included and the last one not. */
export function idRange(
  kind: IdKind,
  before: string | null,
  { createdAfter, createdBefore }: CreatedWithin,
): readonly [from: string, to: string] {
  const firstAt = (time: Date) => formatId(kind, Math.max(time.getTime(), 0), NO_ENTROPY);
  const beyondAll = `${idPrefixes[kind]}_${'z'.repeat(26)}`;
  const ends = [before ?? beyondAll, createdBefore === undefined ? beyondAll : firstAt(createdBefore)];
  return [firstAt(createdAfter ?? new Date(0)), ends.sort()[0] ?? beyondAll];
}
