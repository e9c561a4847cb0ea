import { readScopes, type Scope } from '../scopes/scopes';
import { type GrantFacts, remainingScopes, isGrantUsable } from './grant-facts';

/** A stored refresh token with its grant, read under the grant's lock. */
export interface RefreshFacts extends GrantFacts {
  readonly appId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The values that the authenticated client sent. */
interface PresentedRefresh {
  readonly appId: string;
  /** The `scope` parameter. Null when there was none, which means all scopes of the refresh token. */
  readonly scope: string | null;
}

export type RefreshDecision =
  | {
      readonly kind: 'issue';
      /** The scopes of the access token. */
      readonly scopes: readonly Scope[];
      /**
       * The scopes of the new refresh token. They equal the old one's, so that a refresh with fewer scopes can be
       * followed by one with all (RFC 6749 section 6).
       */
      readonly refreshScopes: readonly string[];
    }
  | {
      readonly kind: 'refuse';
      readonly error: 'invalid_grant' | 'invalid_scope';
      readonly description: string;
    }
  /**
   * A rotated token was presented again: every token of the grant is revoked, and the revocation commits with the
   * refusal.
   */
  | {
      readonly kind: 'refuse-and-revoke';
      readonly error: 'invalid_grant';
      readonly description: string;
      readonly revoke: 'grant';
    };

const UNUSABLE = 'The refresh token is unknown, expired, used before, revoked or not for this client.';

/**
 * Decides a refresh (docs/reference/oauth.md#tokens). No refusal rotates the token. @param facts null for an unknown
 * one.
 */
export function judgeRefresh(
  facts: RefreshFacts | null,
  presented: PresentedRefresh,
  nowMs: number,
): RefreshDecision {
  if (facts?.appId !== presented.appId) return refuse('invalid_grant', UNUSABLE);
  if (facts.rotatedAt !== null) {
    return { kind: 'refuse-and-revoke', error: 'invalid_grant', description: UNUSABLE, revoke: 'grant' };
  }
  if (facts.revokedAt !== null || facts.expiresAt.getTime() <= nowMs)
    return refuse('invalid_grant', UNUSABLE);
  if (!isGrantUsable(facts)) return refuse('invalid_grant', 'The consent was withdrawn.');
  const asked = presented.scope === null ? facts.scopes : readScopes(presented.scope);
  if (asked === null || !asked.every((scope) => facts.scopes.includes(scope))) {
    return refuse('invalid_scope', 'scope must lie within what was granted.');
  }
  const scopes = remainingScopes(asked, facts);
  if (scopes.length === 0) return refuse('invalid_scope', 'Nothing is left of the scopes that were granted.');
  return { kind: 'issue', scopes, refreshScopes: facts.scopes };
}

const refuse = (error: 'invalid_grant' | 'invalid_scope', description: string): RefreshDecision => ({
  kind: 'refuse',
  error,
  description,
});
