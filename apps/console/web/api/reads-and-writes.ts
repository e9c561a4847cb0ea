import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { showStatus } from '../browser/status-store';
import { ApiError } from './api-error';

const APPROVALS = ['/approval-requests'];

export interface ReadOptions<Data = unknown> {
  /** False while what the call needs is not known. */
  readonly enabled?: boolean;
  /**
   * Reads again this often, in milliseconds, while the tab is visible, or as often as what was read wants it. At least 30 s
   * for a page that is just open.
   */
  readonly everyMs?: number | false | ((data: Data, atMs: number) => number | false);
  /** The answer carries a secret: it is forgotten as soon as nothing shows it. */
  readonly isSecret?: boolean;
  /** Reads anew whenever what shows it appears, however recent what is known is. */
  readonly isReadAnew?: boolean;
  /** Shows the rows of the page before until those of the next are there. */
  readonly keepsPrevious?: boolean;
}

export interface Source<Data> {
  /** Whose it is: an organization, or the operator. Others do not see it. */
  readonly owner: string;
  readonly path: string;
  /** What the call is made with. */
  readonly init: unknown;
  readonly read: (signal: AbortSignal) => Promise<Data>;
}

/** The key of a read in the cache, and how it is made. */
export const queryOf = <Data>({ owner, path, init, read }: Source<Data>) => ({
  queryKey: [owner, path, init ?? null],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(signal),
});

/** Reads what belongs to an owner. */
export function useReadOf<Data>(source: Source<Data>, options: ReadOptions<Data> = {}): UseQueryResult<Data> {
  const {
    enabled = true,
    everyMs = false,
    isSecret = false,
    isReadAnew = false,
    keepsPrevious = false,
  } = options;
  return useQuery<Data>({
    ...queryOf(source),
    enabled,
    refetchInterval:
      typeof everyMs === 'function'
        ? ({ state: { data, dataUpdatedAt } }) => data !== undefined && everyMs(data, dataUpdatedAt)
        : everyMs,
    ...(isSecret ? { gcTime: 0, staleTime: 0 } : {}),
    ...(isReadAnew ? { staleTime: 0 } : {}),
    ...(keepsPrevious ? { placeholderData: keepPreviousData as never } : {}),
  });
}

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
  /** What it changes, by the start of its path: those are read again before the write counts as done. */
  readonly changes: readonly string[];
  /** The path of what is not there any more, which is not read again. */
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
  const readAgain = (paths: readonly string[]): Promise<void> =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [whose, path] }) =>
        whose === owner && path !== removes && paths.some((start) => String(path).startsWith(start)),
    });
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: send,
    gcTime: 0,
    onSuccess: async (data) => {
      if (says !== undefined) showStatus(typeof says === 'string' ? says : says(data));
      await readAgain(changes);
    },
    // A change that waits has made a request.
    onError: (error) =>
      error instanceof ApiError && error.code === 'approval_required' && void readAgain(APPROVALS),
  });
  const run = (input: Input): Promise<Data | null> => mutateAsync(input).catch(() => null);
  return { run, isBusy: isPending, error, reset };
}
