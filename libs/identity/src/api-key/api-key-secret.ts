import { formatSecret, SECRET_ENTROPY_BYTES, secretHash, secretHashText } from '../secrets/secret';

export const API_KEY_ENTROPY_BYTES = SECRET_ENTROPY_BYTES;

const VISIBLE_LENGTH = 15;
/** Wider than what we make: the first key may be given to us (contract.md section 1, `SVC_BOOTSTRAP_API_KEY`). */
const FORM = /^svc_sk_[A-Za-z0-9_-]{8,128}$/;

/** A new key's secret, `svc_sk_` and the entropy in base64url (contract.md section 2). Shown once, never stored. */
export const formatApiKeySecret = (entropy: Uint8Array): string => formatSecret('apiKey', entropy);

export const isApiKeySecret = (text: string): boolean => FORM.test(text);

/** The part of a key that people may see: its first 15 characters. */
export const visiblePrefix = (secret: string): string => secret.slice(0, VISIBLE_LENGTH);

/** What is stored of a key, and what it is looked up by. */
export const apiKeyHash = secretHash;
export const apiKeyHashText = secretHashText;

export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-api-key'?: string | string[] | undefined;
}

/**
 * The API key that a call carries: `Authorization: Bearer` or `x-api-key`, on every route, because SDKs differ
 * (contract.md sections 4 and 10). Null when there is none, or none of our form.
 */
export function apiKeySecretIn(headers: CredentialHeaders): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const direct = headers['x-api-key'];
  const secret = bearer ?? (typeof direct === 'string' ? direct : undefined);
  return secret !== undefined && isApiKeySecret(secret) ? secret : null;
}
