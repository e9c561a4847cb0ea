import { isSecret, isSecretOfHash } from '../secrets/secret';

/** The client's identification and authentication (RFC 6749 section 2.3.1). */
export type ClientAuthentication =
  | {
      readonly kind: 'client';
      readonly clientId: string;
      /** Null when none was sent. An empty one counts as none. */
      readonly clientSecret: string | null;
      readonly method: 'basic' | 'body' | 'none';
    }
  | {
      readonly kind: 'refuse';
      readonly error: 'invalid_request' | 'invalid_client';
      readonly description: string;
      readonly method: 'basic' | 'body' | 'none';
    };

/** The same for an unknown client, a wrong secret and a missing one, so that it does not reveal which apps exist. */
export const CLIENT_REFUSED = 'The client is unknown or could not be authenticated.';

/**
 * @param body the form's or the JSON's fields.
 * @returns `method: 'basic'` for `invalid_client` by Basic, so that the answer carries `WWW-Authenticate: Basic`.
 */
export function readClientAuthentication(
  authorization: string | undefined,
  body: Readonly<Record<string, unknown>>,
): ClientAuthentication {
  const [id, secret] = [body['client_id'] ?? '', body['client_secret'] ?? ''];
  if (typeof id !== 'string' || typeof secret !== 'string') {
    return refuse('invalid_request', 'client_id and client_secret must be text.', 'body');
  }
  if (authorization !== undefined && authorization !== '') return byHeader(authorization, id, secret);
  const method = secret === '' ? 'none' : 'body';
  if (id === '') return refuse('invalid_request', 'client_id is missing.', method);
  return client(id, secret, method);
}

function byHeader(authorization: string, bodyId: string, bodySecret: string): ClientAuthentication {
  const pair = basicCredentials(authorization);
  if (pair === null) return refuse('invalid_client', CLIENT_REFUSED, 'basic');
  if (bodySecret !== '') {
    return refuse('invalid_request', 'Authenticate by Authorization or by client_secret, not both.', 'basic');
  }
  if (bodyId !== '' && bodyId !== pair.id) {
    return refuse('invalid_request', 'client_id differs from the one in Authorization.', 'basic');
  }
  return client(pair.id, pair.secret, 'basic');
}

/** Both parts are form-url-encoded, which is what openid-client and others send. */
function basicCredentials(authorization: string): { readonly id: string; readonly secret: string } | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const pair = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString());
  if (pair === null) return null;
  const [id, secret] = [formDecoded(pair[1] ?? ''), formDecoded(pair[2] ?? '')];
  return id === null || secret === null ? null : { id, secret };
}

function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function client(clientId: string, secret: string, method: 'basic' | 'body' | 'none'): ClientAuthentication {
  if (!isSecret('clientId', clientId)) return refuse('invalid_client', CLIENT_REFUSED, method);
  return { kind: 'client', clientId, clientSecret: secret === '' ? null : secret, method };
}

function refuse(
  error: 'invalid_request' | 'invalid_client',
  description: string,
  method: 'basic' | 'body' | 'none',
): ClientAuthentication {
  return { kind: 'refuse', error, description, method };
}

/** The facts of a client for the token route. */
interface AuthenticatingApp {
  readonly state: 'active' | 'revoked';
  /** SHA-256. Null for a public app, which has no secret. */
  readonly clientSecretSha256: Uint8Array | null;
}

const NO_SECRET = new Uint8Array(32);

/**
 * True where the client is authenticated: a public app sends no secret, a confidential one its own
 * (docs/reference/oauth.md#client-authentication). An unknown app takes as long as a wrong secret.
 */
export function isAuthenticClient(app: AuthenticatingApp | null, clientSecret: string | null): boolean {
  const isSecretRight = isSecretOfHash(clientSecret ?? '', app?.clientSecretSha256 ?? NO_SECRET);
  if (app?.state !== 'active') return false;
  return app.clientSecretSha256 === null ? clientSecret === null : isSecretRight;
}
