import { type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isOpen, type Job } from './tuning';

/** How often what an open job says is read again: no oftener than it is asked. */
export const SAID_MS = 10_000;

/** Reads once more what a job said when it has ended: the last of it came with the end. */
export function useReadAtEnd<Data>(job: Job, { refetch }: UseQueryResult<Data>): void {
  const hasEnded = !isOpen(job);
  useEffect(() => {
    if (hasEnded) void refetch({ cancelRefetch: false });
  }, [hasEnded, refetch]);
}
