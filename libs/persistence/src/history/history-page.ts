import { formatId, ID_ENTROPY_BYTES, idPrefixes, type IdKind } from '@svc/kernel';
import { type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';

/** A table to which an organization's doings add rows for ever, with an index on (organization_id, id). */
export interface HistoryTable {
  readonly name: Prisma.Sql;
  readonly idKind: IdKind;
  /** What is read of a row, named as its record names it; the id among them. */
  readonly columns: Prisma.Sql;
  readonly isPartitioned?: boolean;
}

/** A span of time, the first moment included and the last one not; open where a side is missing. */
export interface CreatedWithin {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export interface HistoryQuery {
  readonly organizationId: string;
  /** Only the rows of one thing that is the organization's. There is an index on (column, id). */
  readonly of?: { readonly column: Prisma.Sql; readonly id: string };
  readonly page: Page;
  readonly within: CreatedWithin;
  /** What the rows must fulfil besides; no index serves these. */
  readonly conditions: readonly Prisma.Sql[];
}

/** So many rows are looked at for a page, however few of them are what was asked for: some 60 ms where they are in memory. */
export const SCAN_MAX = 50_000;

/** Reads a page of an organization's history, newest first. A page may hold less than its limit and not be the last. */
export async function readHistory<Row extends { readonly id: string }>(
  { prisma }: Database,
  table: HistoryTable,
  query: HistoryQuery,
): Promise<Slice<Row>> {
  const rows = await readUnsorted<Row & ScannedRow>(prisma, table, historyPage(table, query));
  const { limit } = query.page;
  const found = rows.filter(({ matches }) => matches);
  if (found.length > limit) return { items: found.slice(0, limit), hasMore: true };
  const end = rows.find(({ endsScan }) => endsScan);
  if (end === undefined) return { items: found, hasMore: false };
  return { items: found, hasMore: true, nextBefore: end.id };
}

/**
 * A page of a partitioned history is one range of each partition, merged: the newest rows are the first to come. Where PostgreSQL
 * takes an organization for a small one, it would rather read all that it has in every partition, and sort.
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

interface ScannedRow {
  /** Null where a condition met a null. */
  readonly matches: boolean | null;
  readonly endsScan: boolean;
}

/**
 * One range of the index on (organization_id, id), or of that of one thing, read until the page is full or SCAN_MAX rows
 * were looked at. The row where the scan ends is answered with in any case: the next page begins there.
 *
 * Organization and id are compared and sorted as a pair, because of `organization_id = …` PostgreSQL makes a filter
 * over the primary key where an organization owns much of the table: it then walks through everything that others have
 * added since the organization's last row.
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
    ) scanned
    WHERE matches OR ends_scan
    ORDER BY ${column} DESC, id DESC LIMIT ${page.limit + 1}`;
}

const NO_ENTROPY = new Uint8Array(ID_ENTROPY_BYTES);

/** Ids sort by the time they were made, so a span of time is a range of ids, the first included and the last one not. */
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
