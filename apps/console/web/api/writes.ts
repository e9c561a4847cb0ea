import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showStatus } from '../browser/status-store';
import { ApiError } from './api-error';

const APPROVALS = ['/approval-requests'];

export interface Write<Input, Data> {
  /** Sends it. Resolves to the answer, or to null when it failed: then `error` says why. */
  readonly run: (input: Input) => Promise<Data | null>;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Forgets the error, when the form that showed it closes. */
  readonly reset: () => void;
}

/** How far a write is, for what shows it. */
export type WriteState = Pick<Write<never, unknown>, 'error' | 'isBusy'>;

export interface WriteOptions<Data> {
  /** The paths that it changes, by their start: those are read again before the write counts as done. */
  readonly changes: readonly string[];
  /** The path of what is not there any more: it is not read again, nor what is below it. */
  readonly removes?: string;
  /** The sentence that `status` says once it is done. */
  readonly says?: string | ((data: Data) => string);
}

/** A write of what belongs to an owner. Nothing is shown as done before the API has said so. */
export function useWriteOf<Input, Data>(
  owner: string,
  send: (input: Input) => Promise<Data>,
  { changes, removes, says }: WriteOptions<Data>,
): Write<Input, Data> {
  const queries = useQueryClient();
  const outdate = (isOutdated: (path: string) => boolean, refetchType?: 'none'): Promise<void> =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [whose, path] }) => whose === owner && isOutdated(String(path)),
      ...(refetchType && { refetchType }),
    });
  const isGone = (path: string): boolean => removes !== undefined && path.startsWith(removes);
  const readAgain = (starts: readonly string[]): Promise<void> =>
    outdate((path) => !isGone(path) && starts.some((start) => path.startsWith(start)));
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: send,
    gcTime: 0,
    onSuccess: async (data) => {
      if (says !== undefined) showStatus(typeof says === 'string' ? says : says(data));
      // Who goes back to its page reads it then, and is told that it is gone.
      await outdate(isGone, 'none');
      await readAgain(changes);
    },
    // A change that waits has made a request.
    onError: (error) =>
      error instanceof ApiError && error.code === 'approval_required' && void readAgain(APPROVALS),
  });
  const run = (input: Input): Promise<Data | null> => mutateAsync(input).catch(() => null);
  return { run, isBusy: isPending, error, reset };
}
