import { isCodeVerifier } from '@svc/access';
import { GatewayError } from '@svc/kernel';

/** The validated parameters of a token request. */
export type TokenParameters =
  | {
      readonly grantType: 'authorization_code';
      readonly code: string;
      readonly redirectUri: string;
      readonly codeVerifier: string;
    }
  | {
      readonly grantType: 'refresh_token';
      readonly refreshToken: string;
      /** Null: all scopes of the refresh token. */
      readonly scope: string | null;
    };

type Body = Readonly<Record<string, unknown>>;

/**
 * The fields of a form or of a JSON object.
 * @throws GatewayError `invalidRequest` for a body that has none.
 */
export function fieldsOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  throw new GatewayError('invalidRequest', 'The body must be a form or a JSON object.');
}

/**
 * Reads the parameters of RFC 6749 sections 4.1.3 and 6; unknown ones are ignored.
 * @throws GatewayError `invalidRequest` whose `param` names the parameter, `unsupportedGrantType`.
 */
export function readTokenParameters(body: Body): TokenParameters {
  const grantType = required(body, 'grant_type');
  if (grantType === 'authorization_code') {
    return {
      grantType,
      code: required(body, 'code'),
      redirectUri: required(body, 'redirect_uri'),
      codeVerifier: verifierIn(body),
    };
  }
  if (grantType === 'refresh_token') {
    return { grantType, refreshToken: required(body, 'refresh_token'), scope: optional(body, 'scope') };
  }
  throw new GatewayError('unsupportedGrantType', 'grant_type must be authorization_code or refresh_token.', {
    param: 'grant_type',
  });
}

/** A malformed verifier is the client's mistake, and does not use up the code. */
function verifierIn(body: Body): string {
  const verifier = required(body, 'code_verifier');
  if (isCodeVerifier(verifier)) return verifier;
  throw wrong('code_verifier', 'must have 43 to 128 characters of RFC 7636, section 4.1');
}

function required(body: Body, name: string): string {
  const value = optional(body, name);
  if (value === null) throw wrong(name, 'is missing');
  return value;
}

/** An empty parameter counts as left out (RFC 6749 section 3.2). One that a form repeats is a list. */
function optional(body: Body, name: string): string | null {
  const value = body[name] ?? '';
  if (Array.isArray(value)) throw wrong(name, 'must not be repeated');
  if (typeof value !== 'string') throw wrong(name, 'must be text');
  return value === '' ? null : value;
}

const wrong = (param: string, what: string): GatewayError =>
  new GatewayError('invalidRequest', `${param}: ${what}.`, { param });
