import { type Role } from '../permissions/permissions';
import { type Scope } from '../scopes/scopes';
import { type GrantFacts, remainingScopes, isGrantUsable } from './grant-facts';

/** A stored access token with its grant: one row, looked up by `jti` on every call. */
export interface StoredAccessToken extends GrantFacts {
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export type AccessDecision =
  | {
      readonly kind: 'ok';
      /**
       * The scopes that the token, its grant and its app all still have. `permissionsOfScopes` narrows them to the
       * role.
       */
      readonly scopes: readonly Scope[];
      readonly liveRole: Role;
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'revoked' };

/**
 * True where a token with a valid signature may still be used (docs/reference/oauth.md#access-tokens).
 * @param stored null for a `jti` that is not stored: every signed token was stored, and is deleted after its expiry.
 */
export function judgeAccess(stored: StoredAccessToken | null, nowMs: number): AccessDecision {
  if (stored === null) return { kind: 'expired' };
  const { liveRole } = stored;
  if (stored.revokedAt !== null || liveRole === null || !isGrantUsable(stored)) return { kind: 'revoked' };
  if (stored.expiresAt.getTime() <= nowMs) return { kind: 'expired' };
  const scopes = remainingScopes(stored.scopes, stored);
  return { kind: 'ok', scopes, liveRole };
}
