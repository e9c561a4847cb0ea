import { scopes, type Scope } from '../scopes/scopes';

/**
 * Whether the member must be asked: a public app always, because anybody can pass for it; a confidential one when it
 * asks for more than it has (contract.md section 9).
 * @param standing the scopes of the active grant; null when there is none.
 */
export function needsConsent(
  appType: 'public' | 'confidential',
  standing: readonly string[] | null,
  asked: readonly Scope[],
): boolean {
  return appType === 'public' || !asked.every((scope) => standing?.includes(scope));
}

/** What a member consents to of what was asked. `openid` comes along with `email`, which is of no use without it. */
export function consentedScopes(asked: readonly Scope[], ticked: readonly string[]): readonly Scope[] {
  const isTicked = (scope: Scope) =>
    ticked.includes(scope) || (scope === 'openid' && ticked.includes('email') && asked.includes('email'));
  return asked.filter(isTicked);
}

/** The grant's scopes after a consent: of what was asked, what is left unticked is withdrawn; what was not asked stays. */
export function scopesAfterConsent(
  standing: readonly string[],
  asked: readonly Scope[],
  consented: readonly Scope[],
): readonly Scope[] {
  return scopes.filter(
    (scope) => consented.includes(scope) || (standing.includes(scope) && !asked.includes(scope)),
  );
}
