import { scopes, type Scope } from '../scopes/scopes';

/**
 * True where the member must be asked: always for a public app, because anybody can impersonate it; for a confidential one
 * when it requests more than it has (docs/reference/oauth.md#consent).
 * @param granted the scopes of the active grant. Null when there is none.
 */
export function needsConsent(
  appType: 'public' | 'confidential',
  granted: readonly string[] | null,
  requested: readonly Scope[],
): boolean {
  return appType === 'public' || !requested.every((scope) => granted?.includes(scope));
}

/** The requested scopes that the member consents to. `email` includes `openid`, without which it has no effect. */
export function consentedScopes(requested: readonly Scope[], ticked: readonly string[]): readonly Scope[] {
  const isTicked = (scope: Scope) =>
    ticked.includes(scope) || (scope === 'openid' && ticked.includes('email') && requested.includes('email'));
  return requested.filter(isTicked);
}

/**
 * The grant's scopes after a consent. Requested scopes left unticked are withdrawn. Scopes that were not requested
 * stay.
 */
export function scopesAfterConsent(
  granted: readonly string[],
  requested: readonly Scope[],
  consented: readonly Scope[],
): readonly Scope[] {
  return scopes.filter(
    (scope) => consented.includes(scope) || (granted.includes(scope) && !requested.includes(scope)),
  );
}
