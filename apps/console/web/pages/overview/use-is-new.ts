import { useRead } from '../../api/use-api';
import { DAY_MS } from './period';

const LONGEST_DAYS = 366;

/**
 * Whether the organization has never made a call: neither the log of requests nor a year of sums has one. Null while that
 * is not known.
 * @param isQuiet whether the shown period has no calls; otherwise nothing is asked.
 */
export function useIsNew(isQuiet: boolean, end: string): boolean | null {
  const log = useRead('/requests', { params: { query: { limit: 1 } } }, { enabled: isQuiet });
  const isLogEmpty = isQuiet && !log.isFetching && log.data?.data.length === 0;
  const start = new Date(Date.parse(end) - LONGEST_DAYS * DAY_MS).toISOString();
  const sums = useRead('/usage', { params: { query: { start, end } } }, { enabled: isLogEmpty });
  if (!isQuiet || log.isError || sums.isError) return false;
  if (log.data === undefined || log.isFetching) return null;
  if (!isLogEmpty) return false;
  if (sums.data === undefined || sums.isFetching) return null;
  return sums.data.total.requests === 0;
}
