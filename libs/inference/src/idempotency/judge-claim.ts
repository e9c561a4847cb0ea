import { GatewayError } from '@svc/kernel';
import { IDEMPOTENCY_KEY_HEADER } from './idempotency-key';

/** A claim that stands: of a call that runs, or that ended well. */
export interface StandingClaim {
  readonly fingerprint: Uint8Array;
  /** Whether its answer is stored and paid for. */
  readonly isAnswered: boolean;
}

const RETRY_AFTER_MS = 1_000;

/**
 * What becomes of a call whose key is claimed: null when it is answered with what is stored, else its refusal
 * (interface.md, Idempotency, points 2 and 3). Another body is refused whether the original still runs or not.
 * @returns GatewayError `idempotencyKeyReused` or `idempotencyInProgress`
 */
export function refusalByClaim(standing: StandingClaim, fingerprint: Uint8Array): GatewayError | null {
  if (Buffer.compare(standing.fingerprint, fingerprint) !== 0) {
    return new GatewayError(
      'idempotencyKeyReused',
      `This ${IDEMPOTENCY_KEY_HEADER} was used with another body. A new call needs a new key.`,
      { param: IDEMPOTENCY_KEY_HEADER },
    );
  }
  return standing.isAnswered ? null : callInProgress();
}

/** The same call is still running, here or elsewhere. */
export function callInProgress(): GatewayError {
  return new GatewayError(
    'idempotencyInProgress',
    `The original call with this ${IDEMPOTENCY_KEY_HEADER} is still running. Retry in a second.`,
    { param: IDEMPOTENCY_KEY_HEADER, retryAfterMs: RETRY_AFTER_MS },
  );
}
