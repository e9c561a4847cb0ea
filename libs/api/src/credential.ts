import { type IncomingHttpHeaders } from 'node:http';

/** A caller's credential. Only the first that is present counts, in this order. */
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
  const secret = bearer ?? (typeof apiKey === 'string' ? apiKey : '');
  return { kind: 'api_key', secret };
}

function sessionIn(cookies: string): Credential | null {
  for (const cookie of cookies.split(';')) {
    const [name, value] = cookie.trim().split('=', 2);
    if (name === SESSION_COOKIE && value) return { kind: 'session', secret: value };
  }
  return null;
}
