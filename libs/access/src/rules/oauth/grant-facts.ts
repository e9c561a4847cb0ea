import { type Role } from '../permissions/permissions';
import { narrowScopes, type Scope } from '../scopes/scopes';

/** The current state of a grant and of everything that it depends on. */
export interface GrantFacts {
  readonly grantState: 'active' | 'revoked';
  readonly grantScopes: readonly string[];
  readonly appState: 'active' | 'revoked';
  readonly appScopes: readonly string[];
  readonly organizationState: 'active' | 'suspended';
  /** The member's current role. Null when the user is not a member any more. */
  readonly liveRole: Role | null;
}

/** True where the grant may be used at all. */
export const isGrantUsable = (grant: GrantFacts): boolean =>
  grant.grantState === 'active' &&
  grant.appState === 'active' &&
  grant.organizationState === 'active' &&
  grant.liveRole !== null;

/** The granted scopes that the consent and the app both still have. */
export const remainingScopes = (granted: readonly string[], grant: GrantFacts): readonly Scope[] =>
  narrowScopes(narrowScopes(granted, grant.grantScopes), grant.appScopes);
