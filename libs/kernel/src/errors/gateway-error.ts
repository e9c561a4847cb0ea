import { errorCatalogue, type ErrorDefinition, type ErrorName } from './catalogue';

/** The fault of a line of a file. It quotes nothing of the line. */
export interface LineFault {
  /** From 1. */
  readonly line: number;
  /** The field by its path; null for the line as a whole. */
  readonly param: string | null;
  readonly message: string;
}

interface GatewayErrorDetails {
  /** Path of the field, header or bucket at fault (`messages[2].role`). */
  readonly param?: string;
  /** The underlying error. It is logged and never sent to the caller. */
  readonly cause?: unknown;
  /** Milliseconds after which the same call may succeed. */
  readonly retryAfterMs?: number;
  /** Replaces the catalogue's code. Only `provider_http_4xx` varies. */
  readonly code?: `provider_http_${number}`;
  /** The request that a gated change waits in. Only of `approvalRequired`. */
  readonly approvalRequestId?: string;
  /** Replaces the catalogue's status. Only of a body that is too large. */
  readonly status?: 413;
  /** Only of `invalidTrainingFile`. */
  readonly faults?: readonly LineFault[];
}

/**
 * The only error that services raise on purpose. The message is public. The cause is only logged
 * (docs/reference/errors.md#the-envelope).
 */
export class GatewayError extends Error {
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: string;
  readonly approvalRequestId: string | undefined;
  readonly faults: readonly LineFault[] | undefined;
  private readonly ownStatus: number | undefined;

  constructor(
    readonly reason: ErrorName,
    message: string,
    details: GatewayErrorDetails = {},
  ) {
    // Stacks of 4xx errors are never logged, and capturing them is the most expensive part of refusing a flood.
    const { stackTraceLimit } = Error;
    if (errorCatalogue[reason].status < 500) Error.stackTraceLimit = 0;
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'GatewayError';
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.approvalRequestId = details.approvalRequestId;
    this.faults = details.faults;
    this.ownStatus = details.status;
    this.code = details.code ?? errorCatalogue[reason].code;
  }

  get definition(): ErrorDefinition {
    const row: ErrorDefinition = errorCatalogue[this.reason];
    return this.ownStatus === undefined ? row : { ...row, status: this.ownStatus };
  }

  /** Any thrown value as a GatewayError. An unexpected one becomes a retriable 500 and is kept as the cause. */
  static from(thrown: unknown): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    return new GatewayError('unhandled', 'The service failed unexpectedly. Please retry.', { cause: thrown });
  }
}
