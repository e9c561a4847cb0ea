import { type Operation } from '@svc/protocol';

/** Asks for the tokens of an answer's text. */
export interface OutputJob {
  /** A plain answer, or what `KeptOutput.toJson` makes of a stream. */
  readonly bytes: Uint8Array;
  /** The protocol of a plain answer; null for a stream. */
  readonly operation: Operation | null;
  /** Beyond this the count is an estimate. */
  readonly tokensMax: number;
}

export interface OutputCount {
  readonly outputTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}
