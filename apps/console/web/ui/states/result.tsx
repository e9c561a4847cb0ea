import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode } from 'react';
import { isNotFound } from '../../api/api-error';
import { ErrorState, Offline, Skeleton } from './states';

export interface ResultProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** The subject of a 404: `request`. */
  readonly what?: string;
  /** Rows of the skeleton: about as many as the answer will have, so that nothing moves. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The answer of a read, or the state that stands in for it. An answer that could not be read again stays: the page says as
 * of when it is. One of what is gone by now does not.
 */
export function Result<Data>({ of, what, lines = 6, children }: ResultProps<Data>): ReactElement {
  const { data, error, isPending, fetchStatus, refetch } = of;
  if (data !== undefined && !isNotFound(error)) return <>{children(data)}</>;
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} {...(what !== undefined && { what })} />;
  if (isPending && fetchStatus === 'paused') return <Offline />;
  return <Skeleton lines={lines} />;
}
