import { GatewayError, isId, type IdKind } from '@svc/kernel';
import { z } from 'zod';

/** What a list is asked for: so many, older than the one named. */
export interface Page {
  readonly limit: number;
  /** Id of the last one that the caller has seen; null to begin with the newest. */
  readonly before: string | null;
}

/** What a store answers a page with: newest first. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Where the next page begins if not at the last item: a search may give up before its page is full. */
  readonly nextBefore?: string;
}

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .meta({ description: 'How many to answer with.', example: LIMIT_DEFAULT }),
  cursor: z
    .string()
    .optional()
    .meta({ description: '`next_cursor` of the page before; absent for the newest.' }),
};

/** Ids sort by the time they were made, so the last id of a page is where the next one begins. */
export const cursorAfter = (id: string): string => Buffer.from(id).toString('base64url');

/** @throws GatewayError `invalidRequest` for a cursor that no list of this kind gave out. */
export function readCursor(cursor: string | undefined, kind: IdKind): string | null {
  if (cursor === undefined) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(kind, id) || cursorAfter(id) !== cursor) {
    throw new GatewayError('invalidRequest', 'This cursor is not one that this list gave out.', {
      param: 'cursor',
    });
  }
  return id;
}

/** The envelope of every list (contract.md section 3). */
export interface ListEnvelope<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export function listEnvelope<T>({ items, hasMore, nextBefore }: Slice<T>): ListEnvelope<T> {
  const last = items.at(-1) as { id: string } | undefined;
  const next = nextBefore ?? last?.id;
  return {
    data: items,
    has_more: hasMore,
    next_cursor: hasMore && next !== undefined ? cursorAfter(next) : null,
  };
}
