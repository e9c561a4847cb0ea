import { type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../api/use-api';
import { readAgainEvery, type ModelRequest } from './request';

/** One call, read again until nothing of it can change. */
export function useRequest(id: string): UseQueryResult<ModelRequest> {
  const [everyMs, setEveryMs] = useState<number | false>(false);
  const request = useRead('/requests/{request_id}', { params: { path: { request_id: id } } }, { everyMs });
  const due = request.data === undefined ? false : readAgainEvery(request.data);
  if (due !== everyMs) setEveryMs(due);
  return request;
}
