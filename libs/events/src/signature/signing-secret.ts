/** Bytes of randomness in a signing secret. */
export const SIGNING_SECRET_ENTROPY_BYTES = 32;

/** How long the previous secret still signs beside the new one (docs/reference/webhooks.md#rotation). */
export const PREVIOUS_SECRET_VALIDITY_MS = 24 * 60 * 60_000;

/**
 * A new endpoint's secret: `whsec_` and 64 hex characters. It is shown once, and stored encrypted rather than hashed,
 * because it must sign.
 */
export function formatSigningSecret(entropy: Uint8Array): string {
  if (entropy.length !== SIGNING_SECRET_ENTROPY_BYTES) {
    throw new RangeError(`a signing secret takes ${String(SIGNING_SECRET_ENTROPY_BYTES)} bytes`);
  }
  return `whsec_${Buffer.from(entropy).toString('hex')}`;
}

/** The only visible part of a secret after its creation. */
export const signingSecretLast4 = (secret: string): string => secret.slice(-4);
