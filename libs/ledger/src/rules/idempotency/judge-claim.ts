import { GatewayError } from '@svc/kernel';
import { IDEMPOTENCY_KEY_HEADER } from './idempotency-key';

/** A claim of a call that is running or that succeeded. */
export interface ExistingClaim {
  readonly fingerprint: Uint8Array;
  /** True where its answer is stored and charged. */
  readonly isAnswered: boolean;
}

const RETRY_AFTER_MS = 1_000;

/**
 * The refusal of a call whose key is claimed. Null when the stored answer is to be replayed
 * (docs/reference/idempotency.md#what-a-retry-gets). Another body is refused whether the original still runs or not.
 * @returns GatewayError `idempotencyKeyReused` or `idempotencyInProgress`
 */
export function refusalByClaim(existing: ExistingClaim, fingerprint: Uint8Array): GatewayError | null {
  if (Buffer.compare(existing.fingerprint, fingerprint) !== 0) {
    return new GatewayError(
      'idempotencyKeyReused',
      `This ${IDEMPOTENCY_KEY_HEADER} was used with another body. A new call needs a new key.`,
      { param: IDEMPOTENCY_KEY_HEADER },
    );
  }
  return existing.isAnswered ? null : callInProgress();
}

/** The refusal while the same call is still running, in this or another process. */
export function callInProgress(): GatewayError {
  return new GatewayError(
    'idempotencyInProgress',
    `The original call with this ${IDEMPOTENCY_KEY_HEADER} is still running. Retry in a second.`,
    { param: IDEMPOTENCY_KEY_HEADER, retryAfterMs: RETRY_AFTER_MS },
  );
}
