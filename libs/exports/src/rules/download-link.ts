import { createHmac, timingSafeEqual } from 'node:crypto';

/** The export that a link downloads. */
export interface DownloadLink {
  readonly exportId: string;
  readonly organizationId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

export const LINK_LIVES_MS = 10 * 60_000;

/** @param key derived from the master key for links alone. */
export const linkSignature = (key: Buffer, link: DownloadLink): string =>
  macOf(key, link).toString('base64url');

/** @param keys the current one, and during a rotation the other. */
export function isGoodLink(
  keys: readonly Buffer[],
  link: DownloadLink,
  signature: string,
  nowMs: number,
): boolean {
  const given = Buffer.from(signature, 'base64url');
  const isSigned = keys.some((key) => {
    const expected = macOf(key, link);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned && nowMs < link.expires * 1_000;
}

const macOf = (key: Buffer, { exportId, organizationId, expires }: DownloadLink): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([exportId, organizationId, expires]))
    .digest();
