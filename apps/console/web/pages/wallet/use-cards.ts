import { type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/use-api';
import { CARDS_MAX, type Card } from './card';

/** A card that was just entered is confirmed within seconds; later it is seen with the next look. */
const LOOK_EVERY_MS = 3_000;
const AWAITED_MS = 60_000;

/**
 * The saved cards, newest first: all of them.
 * @param isAwaited whether one was just entered at the provider: then it is looked for, for a minute.
 */
export function useCards(isAwaited = false): UseQueryResult<{ readonly data: readonly Card[] }> {
  const looks = useAwhile(isAwaited);
  return useRead(
    '/payment-methods',
    { params: { query: { limit: CARDS_MAX } } },
    { isReadAnew: true, everyMs: looks && LOOK_EVERY_MS },
  );
}

/** True while something is wanted, for as long as a card may take. */
function useAwhile(isWanted: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => setOver(true), AWAITED_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted && !isOver;
}
