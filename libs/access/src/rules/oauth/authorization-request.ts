import { narrowScopes, readScopes, type Scope } from '../scopes/scopes';
import { isSecret } from '../secrets/secret';
import { type AuthorizationErrorCode } from './oauth-error';
import { isCodeChallenge } from './pkce';

/** The facts of an app for the authorize route. */
export interface AuthorizingApp {
  readonly state: 'active' | 'revoked';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

export type AuthorizationRequest =
  | {
      readonly kind: 'ask';
      readonly redirectUri: string;
      /** The scopes to ask the member for. */
      readonly scopes: readonly Scope[];
      readonly codeChallenge: string;
      /** Echoed unchanged. Null when there was none. */
      readonly state: string | null;
    }
  /** There is no valid URI to redirect to, so the answer is an error page. */
  | { readonly kind: 'refuse-page'; readonly reason: 'unknownClient' | 'unknownRedirectUri' }
  | {
      readonly kind: 'refuse-redirect';
      readonly redirectUri: string;
      readonly error: AuthorizationErrorCode;
      readonly description: string;
      readonly state: string | null;
    };

/** The known parameters. Others are ignored (RFC 6749 section 3.1), repeated or not: RFC 8707 repeats `resource`. */
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

/** The client id to look the app up by. Null when it is missing, repeated, or of another form. */
export function clientIdIn(query: URLSearchParams): string | null {
  const clientId = single(query, 'client_id');
  return clientId !== null && isSecret('clientId', clientId) ? clientId : null;
}

/**
 * Validates `GET /auth/oauth/authorize` (docs/reference/oauth.md#authorization).
 * @param app the app of {@link clientIdIn}, or null for an unknown one.
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
  const requested = readScopes(single(query, 'scope') ?? '');
  if (requested === null) {
    const description = 'scope must name scopes of GET /api/v1/oauth/scopes, separated by spaces';
    return { kind: 'refuse-redirect', redirectUri, state, error: 'invalid_scope', description };
  }
  if (narrowScopes(requested, app.scopes).length < requested.length) {
    const description = 'the app is not registered for every scope that it asks for';
    return { kind: 'refuse-redirect', redirectUri, state, error: 'invalid_scope', description };
  }
  const codeChallenge = single(query, 'code_challenge') ?? '';
  return { kind: 'ask', redirectUri, scopes: requested, codeChallenge, state };
}

interface Refusal {
  readonly error: AuthorizationErrorCode;
  readonly description: string;
}

/** The first error that does not depend on the app, or null. */
function refusalOf(query: URLSearchParams): Refusal | null {
  const repeated = PARAMETERS.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return invalidRequest(`${repeated} must not be repeated`);
  if ((query.get('state') ?? '').length > STATE_LENGTH_MAX) {
    return invalidRequest(`state must have at most ${String(STATE_LENGTH_MAX)} characters`);
  }
  const responseType = single(query, 'response_type');
  if (responseType === null) return invalidRequest('response_type is missing');
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  // In RFC 7636 a missing method means `plain`, so it is required.
  if (
    single(query, 'code_challenge_method') !== 'S256' ||
    !isCodeChallenge(query.get('code_challenge') ?? '')
  ) {
    return invalidRequest(
      'PKCE is required: code_challenge (43 characters of base64url) with code_challenge_method=S256',
    );
  }
  return null;
}

const invalidRequest = (description: string): Refusal => ({ error: 'invalid_request', description });

/** A parameter's only value. An empty value counts as absent (RFC 6749 section 3.1). */
function single(query: URLSearchParams, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  return value === undefined || value === '' || more.length > 0 ? null : value;
}

function stateOf(query: URLSearchParams): string | null {
  const state = single(query, 'state');
  return state === null || state.length > STATE_LENGTH_MAX ? null : state;
}
