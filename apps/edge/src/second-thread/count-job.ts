export interface CountJob {
  /** A body that was already parsed as a call. */
  readonly bytes: Uint8Array;
  /** Beyond this the count is an estimate: no model takes a longer prompt. */
  readonly tokensMax: number;
}
