import { type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../../api/use-api';
import { looksEvery, type Delivery } from './webhook';

/** One delivery, looked at again while attempts are due: they appear without a reload. */
export function useDelivery(id: string): UseQueryResult<Delivery> {
  const [everyMs, setEvery] = useState<number | false>(false);
  const delivery = useRead(
    '/webhooks/deliveries/{delivery_id}',
    { params: { path: { delivery_id: id } } },
    { everyMs },
  );
  const { data, dataUpdatedAt } = delivery;
  const wanted = data === undefined ? false : looksEvery(data, dataUpdatedAt);
  if (wanted !== everyMs) setEvery(wanted);
  return delivery;
}
