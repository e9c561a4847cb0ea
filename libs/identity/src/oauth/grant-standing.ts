import { type Role } from '../permissions/permissions';
import { narrowScopes, type Scope } from '../scopes/scopes';

/** What a token rests on, as it stands now. */
export interface GrantStanding {
  readonly grantState: 'active' | 'revoked';
  readonly grantScopes: readonly string[];
  readonly appState: 'active' | 'revoked';
  readonly appScopes: readonly string[];
  readonly organizationState: 'active' | 'suspended';
  /** The member's role now; null when the user is no member any more. */
  readonly liveRole: Role | null;
}

/** Whether anything may rest on the grant at all. */
export const stands = (standing: GrantStanding): boolean =>
  standing.grantState === 'active' &&
  standing.appState === 'active' &&
  standing.organizationState === 'active' &&
  standing.liveRole !== null;

/** What is left of scopes that were given once: those that the consent and the app both still have. */
export const scopesLeft = (given: readonly string[], standing: GrantStanding): readonly Scope[] =>
  narrowScopes(narrowScopes(given, standing.grantScopes), standing.appScopes);
