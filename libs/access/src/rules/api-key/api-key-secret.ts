import { formatSecret, SECRET_ENTROPY_BYTES, secretHash, secretHashText } from '../secrets/secret';

export const API_KEY_ENTROPY_BYTES = SECRET_ENTROPY_BYTES;

const VISIBLE_LENGTH = 15;
/** Wider than generated keys: the first key may be configured (docs/configuration.md#the-first-start). */
const FORM = /^svc_sk_[A-Za-z0-9_-]{8,128}$/;

/**
 * A new key's secret, `svc_sk_` and the entropy in base64url
 * (docs/reference/authentication-and-permissions.md#secrets). Shown once, never stored.
 */
export const formatApiKeySecret = (entropy: Uint8Array): string => formatSecret('apiKey', entropy);

export const isApiKeySecret = (text: string): boolean => FORM.test(text);

/** The visible part of a key: its first 15 characters. */
export const visiblePrefix = (secret: string): string => secret.slice(0, VISIBLE_LENGTH);

/** The stored hash of a key, by which it is looked up. */
export const apiKeyHash = secretHash;
export const apiKeyHashText = secretHashText;

export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-api-key'?: string | string[] | undefined;
}

/**
 * The API key of a call: `Authorization: Bearer` or `x-api-key`, on every route, because SDKs differ
 * (docs/reference/authentication-and-permissions.md#credentials). Null when there is none, or when it has another form. Clients that
 * were made for a vendor may send its credential in the other header: what is none of ours does not count. Two keys that differ
 * are none, because nobody can tell whose call it is.
 */
export function apiKeySecretIn(headers: CredentialHeaders): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const direct = headers['x-api-key'];
  const [secret, other] = [bearer, direct].filter((text) => typeof text === 'string' && isApiKeySecret(text));
  if (secret === undefined || (other !== undefined && other !== secret)) return null;
  return secret as string;
}
