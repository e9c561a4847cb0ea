import { useEffect, useState } from 'react';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';

type Request = components['schemas']['Request'];
type Refusal = components['schemas']['RefusalRow'];

const LOOK_EVERY_MS = 1_500;
const LOOK_FOR_REFUSALS_EVERY_MS = 3_000;
const LOOK_FOR_MS = 10 * 60_000;

export interface FirstCall {
  /** The search itself, for the states that stand in for it. */
  readonly search: UseQueryResult<unknown>;
  /** The newest call that arrived since; null while there is none. */
  readonly call: Request | null;
  /** Whether the organization had made calls before the page was opened. */
  readonly hadCalls: boolean;
  /** The newest of those, while nothing else has arrived and calls of any key count. */
  readonly earlier: Request | null;
  /** The latest refusal since; null while there is none, or where a later call was served. */
  readonly refusal: Refusal | null;
  /** Nobody looks any more, until `again`. */
  readonly isOver: boolean;
  readonly again: () => void;
  /** When looking began. */
  readonly sinceMs: number;
}

/**
 * Looks for the call of a key, or for any call that was not there before, while the tab is visible.
 * @param keyId the key whose calls count; null for all of the organization.
 */
export function useFirstCall(keyId: string | null): FirstCall {
  const [sinceMs, setSinceMs] = useState(() => Date.now());
  const [isOver, setOver] = useState(false);
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), sinceMs + LOOK_FOR_MS - Date.now());
    return () => clearTimeout(timer);
  }, [sinceMs]);
  const filter = keyId === null ? {} : { api_key_id: keyId };
  const looks = !isOver && !isSettled;
  const requests = useRead(
    '/requests',
    { params: { query: { ...filter, limit: 1 } } },
    { everyMs: looks && LOOK_EVERY_MS },
  );
  const refusals = useRead(
    '/usage/refusals',
    { params: { query: { ...filter, group_by: 'code' } } },
    { everyMs: looks && LOOK_FOR_REFUSALS_EVERY_MS },
  );
  const newest = requests.data?.data[0] ?? null;
  const call = useNew(newest, requests.data !== undefined, keyId, ({ id }) => id);
  const hadCalls = useHadCalls(keyId === null ? requests.data?.data.length : undefined);
  const latest = latestOf(refusals.data?.data ?? []);
  const refusal = useNew(latest, refusals.data !== undefined, keyId, ({ last_at }) => last_at);
  const isDone = call !== null && call.status !== 'pending';
  if (isDone !== isSettled) setSettled(isDone);
  useForgottenSums(isDone);
  const again = () => {
    setSinceMs(Date.now());
    setOver(false);
    void requests.refetch();
  };
  return {
    search: requests,
    call,
    hadCalls,
    earlier: keyId === null && call === null ? newest : null,
    refusal: isLater(refusal, call) ? refusal : null,
    isOver: isOver && !isDone,
    again,
    sinceMs,
  };
}

/**
 * The new items of a list: all of a new key's; of an organization's, those that came after the page was opened.
 */
function useNew<Item>(
  item: Item | null,
  isRead: boolean,
  keyId: string | null,
  idOf: (item: Item) => string,
): Item | null {
  const [known, setKnown] = useState<{ readonly keyId: string | null; readonly id: string | null } | null>(
    null,
  );
  const isKnown = known !== null && known.keyId === keyId;
  if (isRead && !isKnown) setKnown({ keyId, id: keyId === null && item !== null ? idOf(item) : null });
  return item !== null && isKnown && known.id !== idOf(item) ? item : null;
}

/** Whether there was a call at the first look. @param count how many calls that look has found; undefined before. */
function useHadCalls(count: number | undefined): boolean {
  const [had, setHad] = useState<boolean | null>(null);
  if (had === null && count !== undefined) setHad(count > 0);
  return had ?? false;
}

const latestOf = (refusals: readonly Refusal[]): Refusal | null =>
  refusals.reduce<Refusal | null>(
    (latest, refusal) => (latest === null || refusal.last_at > latest.last_at ? refusal : latest),
    null,
  );

const isLater = (refusal: Refusal | null, call: Request | null): boolean =>
  refusal !== null && (call === null || refusal.last_at > call.created_at);

/** The overview asks again whether there are calls. */
function useForgottenSums(isDone: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isDone) return;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [, path] }) => path === '/usage' || path === '/requests',
      refetchType: 'none',
    });
  }, [isDone, queries]);
}
