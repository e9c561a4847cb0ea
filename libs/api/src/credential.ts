import { type IncomingHttpHeaders } from 'node:http';
import { apiKeySecretIn } from '@svc/access';

/** A caller's credential. What is none of the service's own does not count beside a key; two keys that differ are none. */
export type Credential =
  | { readonly kind: 'api_key'; readonly secret: string }
  | { readonly kind: 'access_token'; readonly jwt: string }
  | { readonly kind: 'session'; readonly secret: string };

export const SESSION_COOKIE = 'svc_session';
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** @returns null without a credential. A header's credential takes precedence over the cookie that browsers add. */
export function credentialIn(headers: IncomingHttpHeaders): Credential | null {
  const apiKey = headers['x-api-key'];
  const { authorization } = headers;
  if (authorization === undefined && apiKey === undefined) return sessionIn(headers.cookie ?? '');
  const bearer = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1]?.trim();
  if (bearer !== undefined && JWT.test(bearer)) return { kind: 'access_token', jwt: bearer };
  return { kind: 'api_key', secret: apiKeySecretIn({ authorization, 'x-api-key': apiKey }) ?? '' };
}

function sessionIn(cookies: string): Credential | null {
  for (const cookie of cookies.split(';')) {
    const [name, value] = cookie.trim().split('=', 2);
    if (name === SESSION_COOKIE && value) return { kind: 'session', secret: value };
  }
  return null;
}
