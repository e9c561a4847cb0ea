import { createHmac, timingSafeEqual } from 'node:crypto';

/** The largest difference between `t` and the receiver's clock (docs/reference/webhooks.md#signature). */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** The current secret and, during the overlap after a rotation, the previous one. */
const SECRETS_MAX = 2;

/**
 * The `Svc-Signature` of one attempt: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, each `v1` the HMAC-SHA256 of `t`, a dot
 * and the body, keyed with the whole `whsec_…` text (docs/reference/webhooks.md#signature).
 * @param secrets the valid ones at the time of the attempt, newest first. A third is ignored.
 * @param body the bytes to send, or a text to send as UTF-8.
 */
export function signatureHeader(
  secrets: readonly string[],
  timestampSeconds: number,
  body: Uint8Array | string,
): string {
  if (secrets.length === 0) throw new RangeError('a delivery is never sent unsigned');
  if (!Number.isSafeInteger(timestampSeconds)) throw new RangeError('t is whole seconds');
  const signatures = secrets
    .slice(0, SECRETS_MAX)
    .map((secret) => `v1=${macOf(secret, timestampSeconds, body).toString('hex')}`);
  return [`t=${String(timestampSeconds)}`, ...signatures].join(',');
}

/** Verifies a signature as a receiver does: the header signs these bytes with this secret, at most 300 s from now. */
export function verifySignature(
  header: string,
  secret: string,
  body: Uint8Array | string,
  nowSeconds: number,
): boolean {
  const parts = header.split(',');
  const timestamps = parts.flatMap((part) => /^t=(\d{1,15})$/.exec(part)?.[1] ?? []);
  const timestampSeconds = Number(timestamps[0]);
  if (timestamps.length !== 1 || Math.abs(nowSeconds - timestampSeconds) > SIGNATURE_TOLERANCE_SECONDS) {
    return false;
  }
  const expected = macOf(secret, timestampSeconds, body);
  return parts.some((part) => {
    const mac = /^v1=([0-9a-f]{64})$/.exec(part)?.[1];
    return mac !== undefined && timingSafeEqual(Buffer.from(mac, 'hex'), expected);
  });
}

const macOf = (secret: string, timestampSeconds: number, body: Uint8Array | string): Buffer =>
  createHmac('sha256', secret)
    .update(`${String(timestampSeconds)}.`)
    .update(body)
    .digest();
