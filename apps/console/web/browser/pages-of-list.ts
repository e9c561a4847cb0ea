import { useNavigate, useRouterState } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages that were walked to get here, the last of them this page's. */
    cursors?: readonly string[];
  }
}

/** How many rows a page of a list has at most. */
export const PAGE_SIZE = 50;

export interface Pages {
  /** Parameters that the list is read with, besides its filters. */
  readonly query: { readonly limit: number; readonly cursor: string | undefined };
  /** Undefined on the first page. */
  readonly cursor: string | undefined;
  readonly hasPrevious: boolean;
  readonly next: (cursor: string) => void;
  readonly previous: () => void;
}

/**
 * Which page of a list is shown. The cursors are kept in the history, so that Back works and a link to the list begins
 * with its first page; a changed filter begins there too.
 */
export function usePages(): Pages {
  const cursors = useRouterState({ select: ({ location }) => location.state.cursors ?? none });
  const navigate = useNavigate();
  const show = (walked: readonly string[]): void =>
    void navigate({ to: '.', search: true, state: (state) => ({ ...state, cursors: walked }) });
  const cursor = cursors.at(-1);
  return {
    query: { limit: PAGE_SIZE, cursor },
    cursor,
    hasPrevious: cursors.length > 0,
    next: (cursor) => show([...cursors, cursor]),
    previous: () => show(cursors.slice(0, -1)),
  };
}

/** The page of rows that one answer has whole: its cursors are places in them. */
export function pageOf<Row>(
  rows: readonly Row[],
  { cursor = '' }: Pages,
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } {
  const from = /^\d+$/.test(cursor) ? Number(cursor) : 0;
  const next = from + PAGE_SIZE;
  return { rows: rows.slice(from, next), nextCursor: next < rows.length ? String(next) : null };
}

const none: readonly string[] = [];
