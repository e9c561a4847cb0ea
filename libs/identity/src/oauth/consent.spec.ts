import fc from 'fast-check';
import { scopes } from '../scopes/scopes';
import { consentedScopes, needsConsent, scopesAfterConsent } from './consent';

const some = fc.subarray([...scopes]);

describe('a member', () => {
  it('is always asked by a public app', () => {
    expect(needsConsent('public', ['openid'], ['openid'])).toBe(true);
  });

  it('is asked by a confidential app that wants more than it has', () => {
    expect(needsConsent('confidential', null, ['openid'])).toBe(true);
    expect(needsConsent('confidential', ['openid'], ['openid', 'email'])).toBe(true);
    expect(needsConsent('confidential', ['openid', 'email'], ['openid'])).toBe(false);
  });
});

describe('a consent', () => {
  it('is for what was both asked and ticked', () => {
    expect(consentedScopes(['openid', 'usage:read'], ['usage:read', 'wallet:read', 'nonsense'])).toEqual([
      'usage:read',
    ]);
    expect(consentedScopes(['openid'], [])).toEqual([]);
  });

  it('to the address identifies the account, too, if that was asked', () => {
    expect(consentedScopes(['openid', 'email'], ['email'])).toEqual(['openid', 'email']);
    expect(consentedScopes(['email'], ['email'])).toEqual(['email']);
    expect(consentedScopes(['openid', 'usage:read'], ['email', 'usage:read'])).toEqual(['usage:read']);
  });

  it('never gives what was not asked, withdraws what was asked and left out, and keeps the rest', () => {
    fc.assert(
      fc.property(some, some, some, (standing, asked, ticked) => {
        const consented = consentedScopes(asked, ticked);
        const after = scopesAfterConsent(standing, asked, consented);
        for (const scope of scopes) {
          const expected = asked.includes(scope) ? consented.includes(scope) : standing.includes(scope);
          expect(after.includes(scope)).toBe(expected);
        }
      }),
    );
  });
});
