import { type CallContext, type CallRoute, type ParsedCall } from '@svc/protocol';

export interface ParseJob {
  readonly route: CallRoute;
  readonly bytes: Uint8Array;
  /** True where the call's fingerprint is wanted too. */
  readonly fingerprinted: boolean;
  /** `Svc-End-User`, which belongs to the fingerprint. */
  readonly endUserHeader: string | null;
  readonly context: CallContext;
}

/** A call and the fingerprint of its body; null when not wanted. */
export interface FingerprintedCall {
  readonly parsed: ParsedCall;
  readonly fingerprint: Uint8Array | null;
}
