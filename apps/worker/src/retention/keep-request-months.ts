import { type RequestMonths } from '@svc/ledger/store';

/** After this month: the worker may be down for two months before calls go to the default partition. */
const MONTHS_AHEAD = 2;

/** Makes the partitions of the request log for this month and the next ones. A failure for one month does not stop the others. */
export async function makeRequestMonths(months: RequestMonths): Promise<{ readonly more: boolean }> {
  await Promise.all(Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => months.make(ahead)));
  return { more: false };
}

/** Drops the partitions of the request log before the last `monthsKept` whole months; null keeps all. */
export async function dropOldRequestMonths(
  months: RequestMonths,
  monthsKept: number | null,
): Promise<{ readonly more: boolean }> {
  if (monthsKept === null) return { more: false };
  return { more: (await months.dropOldest(monthsKept)) !== null };
}
