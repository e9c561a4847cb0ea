import { type CallRoute, type ParsedCall } from '@svc/protocol';

export interface ParseJob {
  readonly route: CallRoute;
  readonly bytes: Uint8Array;
  /** Whether the call's fingerprint is asked for too. */
  readonly fingerprinted: boolean;
}

/** A call, and what tells it from other calls with its key; null where that was not asked for. */
export interface FingerprintedCall {
  readonly parsed: ParsedCall;
  readonly fingerprint: Uint8Array | null;
}
