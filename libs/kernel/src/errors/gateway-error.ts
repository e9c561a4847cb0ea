import { errorCatalogue, type ErrorDefinition, type ErrorName } from './catalogue';

export interface GatewayErrorDetails {
  /** Field, header or bucket at fault, by its path (`messages[2].role`). */
  readonly param?: string;
  /** What really happened. Goes to the log, never to the caller. */
  readonly cause?: unknown;
  /** Milliseconds after which the same call may succeed. */
  readonly retryAfterMs?: number;
  /** Replaces the catalogue's code: only `provider_http_4xx` varies. */
  readonly code?: `provider_http_${number}`;
}

/**
 * The one error that services raise on purpose. The message is public and written for the caller; the cause
 * stays in the log (interface.md, Errors).
 */
export class GatewayError extends Error {
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: string;

  constructor(
    readonly reason: ErrorName,
    message: string,
    details: GatewayErrorDetails = {},
  ) {
    // Where a caller was refused is in no log, and to walk the stack is the dearest part of refusing a flood.
    const { stackTraceLimit } = Error;
    if (errorCatalogue[reason].status < 500) Error.stackTraceLimit = 0;
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'GatewayError';
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.code = details.code ?? errorCatalogue[reason].code;
  }

  get definition(): ErrorDefinition {
    return errorCatalogue[this.reason];
  }

  /** Any thrown value as a GatewayError; what nothing expected becomes a retriable 500 with its cause kept. */
  static from(thrown: unknown): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    return new GatewayError('unhandled', 'The service failed unexpectedly. Please retry.', { cause: thrown });
  }
}
