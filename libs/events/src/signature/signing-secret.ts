/** Bytes of randomness in a signing secret. */
export const SIGNING_SECRET_ENTROPY_BYTES = 32;

/** How long a rotated secret still signs, beside the new one (interface.md, Limits). */
export const PREVIOUS_SECRET_VALIDITY_MS = 24 * 60 * 60_000;

/** A new endpoint's secret: `whsec_` and 64 hex characters. Shown once; sealed at rest, because it must sign. */
export function formatSigningSecret(entropy: Uint8Array): string {
  if (entropy.length !== SIGNING_SECRET_ENTROPY_BYTES) {
    throw new RangeError(`a signing secret takes ${String(SIGNING_SECRET_ENTROPY_BYTES)} bytes`);
  }
  return `whsec_${Buffer.from(entropy).toString('hex')}`;
}

/** The only view of a secret after its creation. */
export const signingSecretLast4 = (secret: string): string => secret.slice(-4);
