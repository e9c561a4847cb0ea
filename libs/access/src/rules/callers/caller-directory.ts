import { type Role } from '../permissions/permissions';
import { type Scope } from '../scopes/scopes';

/** The current facts of an API key. */
export interface KeyFacts {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly scopes: readonly string[];
  /** Active, not expired, its organization active, and shown from an address that its policy allows. */
  readonly live: boolean;
}

export interface Membership {
  readonly organizationId: string;
  readonly organizationState: 'active' | 'suspended';
  readonly role: Role;
}

/** The user of a live console session, with the live memberships. */
export interface SessionFacts {
  readonly userId: string;
  readonly memberships: readonly Membership[];
}

/** The current facts of an access token (docs/reference/oauth.md#access-tokens). Looked up by `jti` on every call. */
export interface AccessFacts {
  readonly userId: string;
  readonly appId: string;
  readonly organizationId: string;
  /** The scopes that the token, its grant and its app all still have. */
  readonly scopes: readonly Scope[];
  readonly role: Role;
}

/** Looks callers up on every call, so that a change of a role applies at once. */
export interface CallerDirectory {
  /**
   * @param sha256 of the key.
   * @param readAddress of the client. It is called only for a key that allows some addresses alone.
   */
  apiKey(sha256: Buffer, readAddress: () => string): Promise<KeyFacts | null>;
  /** @param sha256 of the session's secret. Returns null for an unknown, expired or logged-out session. */
  session(sha256: Buffer): Promise<SessionFacts | null>;
  /**
   * @throws GatewayError `tokenRevoked` where the token, its grant, its app or the membership is revoked,
   * `invalidToken` for a `jti` that was never issued or is already deleted.
   */
  accessToken(jti: string): Promise<AccessFacts>;
}

/** Verifies an access token's signature and lifetime, and reads its claims. */
export interface AccessTokenReader {
  /** @throws GatewayError `invalidToken`. */
  verify(jwt: string): Promise<{ readonly jti: string }>;
}

/** The lookups for every kind of caller: API key, session and access token. */
export interface KnownCallers {
  readonly directory: CallerDirectory;
  readonly accessTokens: AccessTokenReader;
}
