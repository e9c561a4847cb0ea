import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

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
  /** Parameters of the call. */
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
