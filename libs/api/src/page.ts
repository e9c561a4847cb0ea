import { GatewayError, isId, type IdKind, type Slice } from '@svc/kernel';
import { z } from 'zod';
import { isModelName } from './model-param';

/**
 * The kind of id in a cursor. A model's id comes from the catalog, and what is numbered within something has that one's id
 * in its own: both have none of our forms, and their lists refuse what is none of theirs.
 */
export type CursorKind = IdKind | 'model' | 'numbered';

export const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .meta({ description: 'The maximum number of items on the page.', example: LIMIT_DEFAULT }),
  cursor: z
    .string()
    .optional()
    .meta({ description: '`next_cursor` of the previous page; absent for the first page.' }),
};

/** Ids sort by creation time, so the last id of a page marks where the next page begins. */
export const cursorAfter = (id: string): string => Buffer.from(id).toString('base64url');

/** @throws GatewayError `invalidRequest` for a cursor that is not from a list of this kind. */
export function readCursor(cursor: string | undefined, kind: CursorKind): string | null {
  if (cursor === undefined) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!hasForm(id, kind) || cursorAfter(id) !== cursor) throw unknownCursor();
  return id;
}

function hasForm(id: string, kind: CursorKind): boolean {
  if (kind === 'model') return isModelName(id);
  return kind === 'numbered' || isId(kind, id);
}

export const unknownCursor = (): GatewayError =>
  new GatewayError('invalidRequest', 'This cursor is not from this list.', { param: 'cursor' });

/** The envelope of every list (docs/reference/management-conventions.md, Lists). */
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
