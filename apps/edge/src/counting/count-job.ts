export interface CountJob {
  /** A body that was parsed as a call before. */
  readonly bytes: Uint8Array;
  /** From here on the rest is only estimated: no model takes a longer prompt. */
  readonly tokensMax: number;
}
