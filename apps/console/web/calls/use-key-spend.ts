import { useState } from 'react';
import { useRead } from '../api/use-api';
import { useCan } from '../session/organization';
import { lastDays } from './last-days';

/** Charges of each of the keys in the last days (UTC), in nanos; undefined while unknown, or where the role may not know. */
export function useKeySpend(ids: readonly string[], days: number): ReadonlyMap<string, bigint> | undefined {
  const [range] = useState(() => lastDays(days));
  const query = { ...range, group_by: 'api_key', api_key_id: ids.join() };
  const enabled = useCan('usage:read') && ids.length > 0;
  const { data } = useRead('/usage', { params: { query } }, { enabled });
  if (data === undefined) return undefined;
  const spent: ReadonlyMap<string | undefined, bigint> = new Map(
    data.data.map(({ api_key_id: id, customer_nanos: nanos }) => [id, nanos]),
  );
  // A key without a row was not used.
  return new Map(ids.map((id) => [id, spent.get(id) ?? 0n]));
}
