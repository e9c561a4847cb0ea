import fc from 'fast-check';
import { scopes } from '../scopes/scopes';
import { consentedScopes, needsConsent, scopesAfterConsent } from './consent';

const some = fc.subarray([...scopes]);

describe('a member', () => {
  it('is always asked to consent to a public app', () => {
    expect(needsConsent('public', ['openid'], ['openid'])).toBe(true);
  });

  it('is asked when a confidential app requests more than it has', () => {
    expect(needsConsent('confidential', null, ['openid'])).toBe(true);
    expect(needsConsent('confidential', ['openid'], ['openid', 'email'])).toBe(true);
    expect(needsConsent('confidential', ['openid', 'email'], ['openid'])).toBe(false);
  });
});

describe('a consent', () => {
  it('covers the scopes that were both requested and ticked', () => {
    expect(consentedScopes(['openid', 'usage:read'], ['usage:read', 'wallet:read', 'nonsense'])).toEqual([
      'usage:read',
    ]);
    expect(consentedScopes(['openid'], [])).toEqual([]);
  });

  it('to the address includes the identity of the account, if that was requested', () => {
    expect(consentedScopes(['openid', 'email'], ['email'])).toEqual(['openid', 'email']);
    expect(consentedScopes(['email'], ['email'])).toEqual(['email']);
    expect(consentedScopes(['openid', 'usage:read'], ['email', 'usage:read'])).toEqual(['usage:read']);
  });

  it('never grants a scope that was not requested, withdraws those left unticked, and keeps the rest', () => {
    fc.assert(
      fc.property(some, some, some, (granted, requested, ticked) => {
        const consented = consentedScopes(requested, ticked);
        const after = scopesAfterConsent(granted, requested, consented);
        for (const scope of scopes) {
          const expected = requested.includes(scope) ? consented.includes(scope) : granted.includes(scope);
          expect(after.includes(scope)).toBe(expected);
        }
      }),
    );
  });
});
