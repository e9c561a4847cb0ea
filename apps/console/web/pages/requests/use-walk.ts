import { useEffect, useState } from 'react';
import { idOf } from '../../browser/address';
import { type Pages } from '../../browser/pages-of-list';
import { type ModelRequest } from '../../calls/request';
import { requestsRoute } from './route';

const requestId = idOf('request');

/** The page of the list whose rows are walked. */
export interface WalkedList {
  readonly rows: readonly Pick<ModelRequest, 'id'>[];
  readonly pages: Pages;
  readonly nextCursor: string | null;
  /** True while the rows are those of the page before. */
  readonly isStale: boolean;
}

interface Walk {
  readonly open: string | undefined;
  /** Null at the end of the whole list. */
  readonly next: (() => void) | null;
  readonly previous: (() => void) | null;
  readonly close: () => void;
}

/** Walks the calls of a list one by one, from page to page: the page is turned, then its first or last call is opened. */
export function useWalk({ rows, pages, nextCursor, isStale }: WalkedList): Walk {
  const { open } = requestsRoute.useSearch();
  const navigate = requestsRoute.useNavigate();
  const [turnedTo, setTurnedTo] = useState<'first' | 'last' | null>(null);
  const show = (id: string | undefined): void =>
    void navigate({
      search: (before) => ({ ...before, open: id === undefined ? id : requestId([id]) }),
      state: true,
      replace: true,
      resetScroll: false,
    });
  const place = rows.findIndex(({ id }) => id === open);
  const arrived = turnedTo === 'last' ? rows.at(-1) : rows[0];
  const arrivedId =
    turnedTo !== null && open !== undefined && !isStale && place < 0 ? arrived?.id : undefined;
  useEffect(() => {
    if (arrivedId !== undefined) show(arrivedId);
    // `show` is made anew by each drawing, and goes to the same place.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [arrivedId]);
  const step = (to: number): (() => void) | null => {
    const row = place < 0 ? undefined : rows[to];
    return row === undefined ? null : () => (setTurnedTo(null), show(row.id));
  };
  const isAtEnd = place === rows.length - 1 && nextCursor !== null && !isStale;
  const isAtStart = place === 0 && pages.hasPrevious && !isStale;
  return {
    open,
    next: isAtEnd ? () => (setTurnedTo('first'), pages.next(nextCursor)) : step(place + 1),
    previous: isAtStart ? () => (setTurnedTo('last'), pages.previous()) : step(place - 1),
    close: () => (setTurnedTo(null), show(undefined)),
  };
}
