import { type ErrorName } from '@svc/kernel';
import { type Operation, type ParsedCall } from '@svc/protocol';

export interface ParseJob {
  readonly id: number;
  readonly operation: Operation;
  readonly bytes: Uint8Array;
  /** Whether the call's fingerprint is asked for too. */
  readonly fingerprinted: boolean;
}

/** A call, and what tells it from other calls with its key; null where that was not asked for. */
export interface FingerprintedCall {
  readonly parsed: ParsedCall;
  readonly fingerprint: Uint8Array | null;
}

export type ParseResult =
  | { readonly id: number; readonly call: FingerprintedCall; readonly refusal?: undefined }
  | { readonly id: number; readonly call?: undefined; readonly refusal: ParseRefusal };

/** A GatewayError as it crosses from one thread to another. */
export interface ParseRefusal {
  readonly reason: ErrorName;
  readonly message: string;
  readonly param?: string;
}
