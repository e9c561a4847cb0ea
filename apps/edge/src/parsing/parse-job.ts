import { type ErrorName } from '@svc/kernel';
import { type Operation, type ParsedCall } from '@svc/protocol';

export interface ParseJob {
  readonly id: number;
  readonly operation: Operation;
  readonly bytes: Uint8Array;
}

export type ParseResult =
  | { readonly id: number; readonly call: ParsedCall; readonly refusal?: undefined }
  | { readonly id: number; readonly call?: undefined; readonly refusal: ParseRefusal };

/** A GatewayError as it crosses from one thread to another. */
export interface ParseRefusal {
  readonly reason: ErrorName;
  readonly message: string;
  readonly param?: string;
}
