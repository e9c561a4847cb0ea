import { type Page, type Slice } from '@svc/kernel';

/** Reads a page with Prisma, newest first, because ids sort by time, and one row more than the page holds. */
export const pageArguments = ({ limit }: Page) => ({ orderBy: { id: 'desc' as const }, take: limit + 1 });

/** The condition that goes with {@link pageArguments}. */
export const olderThan = ({ before }: Page) => (before === null ? {} : { id: { lt: before } });

/** The condition of what a caller sees in an organization: all of it, or what is of the one project of its key. */
export const seenBy = (organizationId: string, onlyProject: string | null) =>
  onlyProject === null ? { organizationId } : { organizationId, projectId: onlyProject };

/** The condition of a filter by ids. */
export const among = (ids: readonly string[] | undefined) =>
  ids === undefined ? {} : { id: { in: [...ids] } };

/** The page made from its rows. The extra row shows whether there are more. */
export function sliceOf<Row, Item>(
  rows: readonly Row[],
  { limit }: Page,
  toItem: (row: Row) => Item,
): Slice<Item> {
  return { items: rows.slice(0, limit).map(toItem), hasMore: rows.length > limit };
}
