import { type Scope } from '../scopes/scopes';
import { type GrantStanding, scopesLeft, stands } from './grant-standing';
import { verifyPkce } from './pkce';

/** A stored authorization code with what it rests on, read under the grant's lock. */
export interface CodeFacts extends GrantStanding {
  readonly appId: string;
  /** The app's redirect URIs now: one that was removed meanwhile is none. */
  readonly redirectUris: readonly string[];
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
}

/** What the authenticated client sent. */
export interface PresentedCode {
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
      /** Whether the code must be consumed nevertheless: its own client has one guess. */
      readonly consume: boolean;
    }
  /** The code came a second time: all that came of it is revoked, and the revocation commits with the refusal. */
  | {
      readonly kind: 'refuse-and-revoke';
      readonly error: 'invalid_grant';
      readonly description: string;
      readonly revoke: 'code';
    };

const UNUSABLE = 'The code is unknown, expired, used before or not for this client.';

/** Judges an exchange (RFC 6749 section 4.1.3; contract.md section 9). @param facts null for an unknown code. */
export function judgeCode(facts: CodeFacts | null, presented: PresentedCode, nowMs: number): CodeDecision {
  // Another client changes nothing, or it could burn codes that it only saw.
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
  const scopes = scopesLeft(facts.scopes, facts);
  if (!stands(facts) || scopes.length === 0) return refuse('The consent was withdrawn.', true);
  return { kind: 'issue', scopes };
}

const refuse = (description: string, consume: boolean): CodeDecision => ({
  kind: 'refuse',
  error: 'invalid_grant',
  description,
  consume,
});
