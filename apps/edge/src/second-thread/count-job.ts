import { type Operation } from '@svc/protocol';

export interface CountJob {
  readonly operation: Operation;
  /** A body that was already parsed as a call. */
  readonly bytes: Uint8Array;
  /** Beyond this the count is an estimate: no endpoint takes a longer prompt. */
  readonly tokensMax: number;
}
