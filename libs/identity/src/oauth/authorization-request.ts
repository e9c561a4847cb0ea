import { narrowScopes, readScopes, type Scope } from '../scopes/scopes';
import { isSecret } from '../secrets/secret';
import { type AuthorizationErrorCode } from './oauth-error';
import { isCodeChallenge } from './pkce';

/** What the authorize route has to know of an app. */
export interface AuthorizingApp {
  readonly state: 'active' | 'revoked';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

export type AuthorizationRequest =
  | {
      readonly kind: 'ask';
      readonly redirectUri: string;
      /** What the member is asked for. */
      readonly scopes: readonly Scope[];
      readonly codeChallenge: string;
      /** Echoed as it came; null when there was none. */
      readonly state: string | null;
    }
  /** Nobody to send the browser back to: an error page, never a redirect. */
  | { readonly kind: 'refuse-page'; readonly reason: 'unknownClient' | 'unknownRedirectUri' }
  | {
      readonly kind: 'refuse-redirect';
      readonly redirectUri: string;
      readonly error: AuthorizationErrorCode;
      readonly description: string;
      readonly state: string | null;
    };

/** Parameters that we read. Others are ignored (RFC 6749 section 3.1), repeated or not: RFC 8707 repeats `resource`. */
const PARAMETERS = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];
const STATE_LENGTH_MAX = 4_096;

/** The client id to look the app up by: null when it is missing, repeated, or none of ours. */
export function clientIdIn(query: URLSearchParams): string | null {
  const clientId = single(query, 'client_id');
  return clientId !== null && isSecret('clientId', clientId) ? clientId : null;
}

/**
 * Judges `GET /auth/oauth/authorize` (interface.md, Authorization flow; contract.md section 9).
 * @param app the one of {@link clientIdIn}, or null for none.
 */
export function readAuthorizationRequest(
  query: URLSearchParams,
  app: AuthorizingApp | null,
): AuthorizationRequest {
  if (app?.state !== 'active') return { kind: 'refuse-page', reason: 'unknownClient' };
  const redirectUri = single(query, 'redirect_uri');
  if (redirectUri === null || !app.redirectUris.includes(redirectUri)) {
    return { kind: 'refuse-page', reason: 'unknownRedirectUri' };
  }
  const state = stateOf(query);
  const refusal = refusalOf(query);
  if (refusal !== null) return { kind: 'refuse-redirect', redirectUri, state, ...refusal };
  const asked = readScopes(single(query, 'scope') ?? '');
  if (asked === null) {
    const description = 'scope must name scopes of GET /api/v1/oauth/scopes, separated by spaces';
    return { kind: 'refuse-redirect', redirectUri, state, error: 'invalid_scope', description };
  }
  if (narrowScopes(asked, app.scopes).length < asked.length) {
    const description = 'the app is not registered for every scope that it asks for';
    return { kind: 'refuse-redirect', redirectUri, state, error: 'invalid_scope', description };
  }
  const codeChallenge = single(query, 'code_challenge') ?? '';
  return { kind: 'ask', redirectUri, scopes: asked, codeChallenge, state };
}

interface Refusal {
  readonly error: AuthorizationErrorCode;
  readonly description: string;
}

/** What is wrong whatever the app, or null. */
function refusalOf(query: URLSearchParams): Refusal | null {
  const repeated = PARAMETERS.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return wrong(`${repeated} must not be repeated`);
  if ((query.get('state') ?? '').length > STATE_LENGTH_MAX) {
    return wrong(`state must have at most ${String(STATE_LENGTH_MAX)} characters`);
  }
  const responseType = single(query, 'response_type');
  if (responseType === null) return wrong('response_type is missing');
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  // Without a method RFC 7636 means plain, so it must be there.
  if (
    single(query, 'code_challenge_method') !== 'S256' ||
    !isCodeChallenge(query.get('code_challenge') ?? '')
  ) {
    return wrong(
      'PKCE is required: code_challenge (43 characters of base64url) with code_challenge_method=S256',
    );
  }
  return null;
}

const wrong = (description: string): Refusal => ({ error: 'invalid_request', description });

/** A parameter's one value; an empty one counts as left out (RFC 6749 section 3.1). */
function single(query: URLSearchParams, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  return value === undefined || value === '' || more.length > 0 ? null : value;
}

function stateOf(query: URLSearchParams): string | null {
  const state = single(query, 'state');
  return state === null || state.length > STATE_LENGTH_MAX ? null : state;
}
