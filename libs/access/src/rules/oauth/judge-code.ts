import { type Scope } from '../scopes/scopes';
import { type GrantFacts, remainingScopes, isGrantUsable } from './grant-facts';
import { verifyPkce } from './pkce';

/** A stored authorization code with its grant, read under the grant's lock. */
export interface CodeFacts extends GrantFacts {
  readonly appId: string;
  /** The app's current redirect URIs. One that was removed meanwhile is not valid any more. */
  readonly redirectUris: readonly string[];
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
}

/** The values that the authenticated client sent. */
interface PresentedCode {
  readonly appId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

export type CodeDecision =
  | { readonly kind: 'issue'; readonly scopes: readonly Scope[] }
  | {
      readonly kind: 'refuse';
      readonly error: 'invalid_grant';
      readonly description: string;
      /** True where the code must be consumed nevertheless: its client has only one try. */
      readonly consume: boolean;
    }
  /**
   * The code was presented again: every token issued for it is revoked, and the revocation commits with the refusal.
   */
  | {
      readonly kind: 'refuse-and-revoke';
      readonly error: 'invalid_grant';
      readonly description: string;
      readonly revoke: 'code';
    };

const UNUSABLE = 'The code is unknown, expired, used before or not for this client.';

/**
 * Decides an exchange (RFC 6749 section 4.1.3; docs/reference/oauth.md#tokens).
 * @param facts null for an unknown code.
 */
export function judgeCode(facts: CodeFacts | null, presented: PresentedCode, nowMs: number): CodeDecision {
  // Another client changes nothing. Otherwise it could consume codes that it intercepted.
  if (facts?.appId !== presented.appId) return refuse(UNUSABLE, false);
  if (facts.consumedAt !== null) {
    return { kind: 'refuse-and-revoke', error: 'invalid_grant', description: UNUSABLE, revoke: 'code' };
  }
  if (facts.expiresAt.getTime() <= nowMs) return refuse(UNUSABLE, false);
  if (facts.redirectUri !== presented.redirectUri || !facts.redirectUris.includes(facts.redirectUri)) {
    return refuse('redirect_uri is not the one that the code was sent to.', true);
  }
  if (!verifyPkce(presented.codeVerifier, facts.codeChallenge)) {
    return refuse('code_verifier does not match the code_challenge.', true);
  }
  const scopes = remainingScopes(facts.scopes, facts);
  if (!isGrantUsable(facts) || scopes.length === 0) return refuse('The consent was withdrawn.', true);
  return { kind: 'issue', scopes };
}

const refuse = (description: string, consume: boolean): CodeDecision => ({
  kind: 'refuse',
  error: 'invalid_grant',
  description,
  consume,
});
