import { type Clock } from '@svc/kernel';
import { type RequestMonths } from '@svc/persistence';

/** After this month: so a worker may be away for two months before calls gather in the default partition. */
const MONTHS_AHEAD = 2;

/** Makes the partitions of the request log for this month and the next ones. One that can't be made holds up no other. */
export async function makeRequestMonths(
  months: RequestMonths,
  clock: Clock,
): Promise<{ readonly more: boolean }> {
  const due = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthFromNow(clock, ahead));
  await Promise.all(due.map((month) => months.make(month)));
  return { more: false };
}

/** Drops the months of the request log before the last `monthsKept` whole ones; null keeps all for ever. */
export async function dropOldRequestMonths(
  months: RequestMonths,
  clock: Clock,
  monthsKept: number | null,
): Promise<{ readonly more: boolean }> {
  if (monthsKept === null) return { more: false };
  return { more: (await months.dropOldest(monthFromNow(clock, -monthsKept))) !== null };
}

/** The first moment of a month (UTC), counted from the one that is now. */
function monthFromNow(clock: Clock, distance: number): Date {
  const now = new Date(clock.now());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + distance));
}
