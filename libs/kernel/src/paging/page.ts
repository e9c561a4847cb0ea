/** The page that a list request asks for. */
export interface Page {
  readonly limit: number;
  /** Id of the last item that the caller has seen. Null starts with the newest. */
  readonly before: string | null;
}

/** A page of items, newest first. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Cursor of the next page if it is not the last item: a search may stop before its page is full. */
  readonly nextBefore?: string;
}
