import { type Role } from '../permissions/permissions';
import { type Scope } from '../scopes/scopes';
import { type GrantStanding, scopesLeft, stands } from './grant-standing';

/** A stored access token with what it rests on: one row, looked up by `jti` on every call. */
export interface AccessStanding extends GrantStanding {
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export type AccessDecision =
  | {
      readonly kind: 'ok';
      /** What the token, its grant and its app all still allow; see permissionsOfScopes for what the role leaves of it. */
      readonly scopes: readonly Scope[];
      readonly liveRole: Role;
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'revoked' };

/**
 * Whether a token whose signature is right may still be used (contract.md section 9).
 * @param standing null for a `jti` that is not stored: what we signed we stored, and forgot when it had expired.
 */
export function judgeAccess(standing: AccessStanding | null, nowMs: number): AccessDecision {
  if (standing === null) return { kind: 'expired' };
  const { liveRole } = standing;
  if (standing.revokedAt !== null || liveRole === null || !stands(standing)) return { kind: 'revoked' };
  if (standing.expiresAt.getTime() <= nowMs) return { kind: 'expired' };
  const scopes = scopesLeft(standing.scopes, standing);
  return { kind: 'ok', scopes, liveRole };
}
