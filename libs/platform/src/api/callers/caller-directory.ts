import { type Role, type Scope } from '@svc/identity';

/** What the database says of an API key at this moment. */
export interface KeyFacts {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly scopes: readonly string[];
  /** Active, not expired, and its organization active. */
  readonly live: boolean;
}

export interface Membership {
  readonly organizationId: string;
  readonly role: Role;
}

/** A live console session's user, with the live memberships. */
export interface SessionFacts {
  readonly userId: string;
  readonly memberships: readonly Membership[];
}

/** An access token's standing (contract.md section 9): looked up by `jti` on every call. */
export interface AccessFacts {
  readonly userId: string;
  readonly appId: string;
  readonly organizationId: string;
  /** What the token, its grant and its app all still allow. */
  readonly scopes: readonly Scope[];
  readonly role: Role;
}

/** Where callers are looked up, afresh on every call: a role that shrank narrows at once. */
export interface CallerDirectory {
  /** @param sha256 of the key. */
  apiKey(sha256: Buffer): Promise<KeyFacts | null>;
  /** @param sha256 of the session's secret. Null: unknown, expired, logged out. */
  session(sha256: Buffer): Promise<SessionFacts | null>;
  /**
   * @throws GatewayError `tokenRevoked` where the token, its grant, its app or the membership is revoked, `invalidToken`
   * for a `jti` that was never issued, or is forgotten.
   */
  accessToken(jti: string): Promise<AccessFacts>;
}

/** Reads what an access token says, once its signature and lifetime are judged. */
export interface AccessTokenReader {
  /** @throws GatewayError `invalidToken`. */
  verify(jwt: string): Promise<{ readonly jti: string }>;
}
