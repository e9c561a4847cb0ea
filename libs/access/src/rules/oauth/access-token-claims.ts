import { lifetimesMs } from '../lifetimes';
import { type Role } from '../permissions/permissions';
import { type Scope } from '../scopes/scopes';

interface AccessTokenFacts {
  readonly jti: string;
  /** `{base_url}` of the authorization server, which is also the API's. */
  readonly issuer: string;
  readonly audience: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly role: Role;
}

/**
 * The claims of an access token (docs/reference/oauth.md#access-tokens). `client_id` and `scope` repeat `azp` and `scp`
 * for readers of RFC 9068.
 */
export interface AccessTokenClaims {
  readonly jti: string;
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly organization_id: string;
  readonly grant_id: string;
  readonly azp: string;
  readonly client_id: string;
  readonly scp: readonly Scope[];
  readonly scope: string;
  readonly role: Role;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a token issued now. Times are whole seconds, so that `expires_in` is exact. */
export function accessTokenClaims(facts: AccessTokenFacts, nowMs: number): AccessTokenClaims {
  const iat = Math.floor(nowMs / 1_000);
  return {
    jti: facts.jti,
    iss: facts.issuer,
    aud: facts.audience,
    sub: facts.userId,
    organization_id: facts.organizationId,
    grant_id: facts.grantId,
    azp: facts.clientId,
    client_id: facts.clientId,
    scp: facts.scopes,
    scope: facts.scopes.join(' '),
    role: facts.role,
    iat,
    exp: iat + lifetimesMs.accessToken / 1_000,
  };
}
