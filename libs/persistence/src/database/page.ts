import { type Page, type Slice } from '@svc/platform/api';

/** How Prisma reads a page: newest first, for ids sort by the time they were made, and one row more than it holds. */
export const pageArguments = ({ limit }: Page) => ({ orderBy: { id: 'desc' as const }, take: limit + 1 });

/** The condition that goes with {@link pageArguments}. */
export const olderThan = ({ before }: Page) => (before === null ? {} : { id: { lt: before } });

/** The page out of its rows, of which one too many was read to learn whether there are more. */
export function sliceOf<Row, Item>(
  rows: readonly Row[],
  { limit }: Page,
  toItem: (row: Row) => Item,
): Slice<Item> {
  return { items: rows.slice(0, limit).map(toItem), hasMore: rows.length > limit };
}
