import { type components } from '../../api/generated/auth';

export type OauthApp = components['schemas']['OauthApp'];
export type Grant = components['schemas']['Grant'];
export type Scope = OauthApp['scopes'][number];
export type AppType = OauthApp['app_type'];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Parameters that the service itself adds to the address (docs/reference/oauth.md). */
const ANSWERED = ['code', 'error', 'error_description', 'state', 'iss'];

/** Why an address cannot be one to come back to, before it is sent; the API has the last word. */
export type UriProblem = 'notAbsolute' | 'notHttps' | 'fragment' | 'user' | 'wildcard' | 'answered';

export function uriProblem(uri: string): UriProblem | null {
  if (!URL.canParse(uri)) return 'notAbsolute';
  const { protocol, hostname, username, password, searchParams } = new URL(uri);
  const isHttps = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  if (!isHttps) return 'notHttps';
  if (uri.includes('#')) return 'fragment';
  if (username !== '' || password !== '') return 'user';
  if (uri.includes('*')) return 'wildcard';
  return ANSWERED.some((name) => searchParams.has(name)) ? 'answered' : null;
}

/** One address a line. */
export const linesOf = (typed: string): readonly string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

interface AuthorizeFacts {
  readonly origin: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** The verifier and the challenge of RFC 7636, appendix B. */
export const EXAMPLE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const EXAMPLE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The address that a member opens to consent, with the example challenge. */
export function authorizeUrl({ origin, clientId, redirectUri, scopes }: AuthorizeFacts): string {
  const url = new URL('/auth/oauth/authorize', origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    code_challenge: EXAMPLE_CHALLENGE,
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
  }).toString();
  return url.href;
}
