import { createHash } from 'node:crypto';
import { roles } from '../permissions/permissions';
import { type GrantFacts } from './grant-facts';
import { judgeAccess } from './judge-access';
import { judgeCode, type CodeFacts } from './judge-code';
import { judgeRefresh, type RefreshFacts } from './judge-refresh';

const NOW = Date.parse('2026-11-21T16:00:00Z');
const later = (seconds: number) => new Date(NOW + seconds * 1_000);
const codeVerifier = 'v'.repeat(43);
const redirectUri = 'https://app.example/cb';

const grant: GrantFacts = {
  grantState: 'active',
  grantScopes: ['openid', 'email', 'usage:read'],
  appState: 'active',
  appScopes: ['openid', 'email', 'usage:read'],
  organizationState: 'active',
  liveRole: 'developer',
};
const revokedGrants: readonly (readonly [string, Partial<GrantFacts>])[] = [
  ['the grant was revoked', { grantState: 'revoked' }],
  ['the app was revoked', { appState: 'revoked' }],
  ['the organization was suspended', { organizationState: 'suspended' }],
  ['the member was removed', { liveRole: null }],
];

describe('an authorization code', () => {
  const code: CodeFacts = {
    ...grant,
    appId: 'oapp_1',
    redirectUris: [redirectUri, 'https://app.example/other'],
    redirectUri,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    scopes: ['openid', 'usage:read'],
    expiresAt: later(60),
    consumedAt: null,
  };
  const presented = { appId: 'oapp_1', redirectUri, codeVerifier };
  const judge = (facts: Partial<CodeFacts> | null, given = {}, nowMs = NOW) =>
    judgeCode(facts && { ...code, ...facts }, { ...presented, ...given }, nowMs);
  const refused = (consume: boolean) =>
    expect.objectContaining({ kind: 'refuse', error: 'invalid_grant', consume }) as object;

  it('is exchanged for the scopes that were consented to', () => {
    expect(judge({})).toEqual({ kind: 'issue', scopes: ['openid', 'usage:read'] });
  });

  it('is exchanged for the scopes that are left of them', () => {
    expect(judge({ appScopes: ['usage:read', 'wallet:read'] })).toEqual({
      kind: 'issue',
      scopes: ['usage:read'],
    });
    expect(judge({ grantScopes: ['openid'] })).toEqual({ kind: 'issue', scopes: ['openid'] });
    expect(judge({ appScopes: [] })).toEqual(refused(true));
  });

  it('is valid until the last millisecond of its lifetime', () => {
    expect(judge({}, {}, code.expiresAt.getTime() - 1)).toMatchObject({ kind: 'issue' });
    expect(judge({}, {}, code.expiresAt.getTime())).toEqual(refused(false));
  });

  it('is refused when it is unknown', () => {
    expect(judge(null)).toEqual(refused(false));
  });

  it('is not changed by another client, used or not', () => {
    expect(judge({}, { appId: 'oapp_2' })).toEqual(refused(false));
    expect(judge({ consumedAt: later(-1) }, { appId: 'oapp_2' })).toEqual(refused(false));
  });

  it('revokes every token issued for it when its client presents it again, whatever else is wrong', () => {
    const revoked = expect.objectContaining({
      kind: 'refuse-and-revoke',
      error: 'invalid_grant',
      revoke: 'code',
    }) as object;
    expect(judge({ consumedAt: later(-1) })).toEqual(revoked);
    expect(judge({ consumedAt: later(-1) }, { codeVerifier: 'w'.repeat(43) })).toEqual(revoked);
    expect(judge({ consumedAt: later(-1) }, {}, NOW + 1e9)).toEqual(revoked);
  });

  it.each([
    ['another verifier', { codeVerifier: 'w'.repeat(43) }],
    ['its challenge for a verifier', { codeVerifier: code.codeChallenge }],
    ['another redirect URI of the app', { redirectUri: 'https://app.example/other' }],
    ['no redirect URI', { redirectUri: '' }],
  ])('is refused with %s, and used up', (_, given) => {
    expect(judge({}, given)).toEqual(refused(true));
  });

  it('is refused when its redirect URI is no longer the app’s', () => {
    expect(judge({ redirectUris: ['https://app.example/other'] })).toEqual(refused(true));
  });

  it.each(revokedGrants)('is refused when %s', (_, facts) => {
    expect(judge(facts)).toEqual(refused(true));
  });
});

describe('a refresh token', () => {
  const token: RefreshFacts = {
    ...grant,
    appId: 'oapp_1',
    scopes: ['openid', 'usage:read'],
    expiresAt: later(30 * 86_400),
    rotatedAt: null,
    revokedAt: null,
  };
  const judge = (
    facts: Partial<RefreshFacts> | null,
    given: { appId?: string; scope?: string } = {},
    nowMs = NOW,
  ) => judgeRefresh(facts && { ...token, ...facts }, { appId: 'oapp_1', scope: null, ...given }, nowMs);
  const refused = (error = 'invalid_grant') => expect.objectContaining({ kind: 'refuse', error }) as object;

  it('is valid for all of its scopes', () => {
    expect(judge({})).toEqual({
      kind: 'issue',
      scopes: ['openid', 'usage:read'],
      refreshScopes: token.scopes,
    });
  });

  it('is valid for fewer, and the next one for all again', () => {
    expect(judge({}, { scope: 'openid' })).toEqual({
      kind: 'issue',
      scopes: ['openid'],
      refreshScopes: token.scopes,
    });
  });

  it.each(['openid wallet:read', 'email', 'admin', '', ' '])('is not valid for the scope %p', (scope) => {
    expect(judge({}, { scope })).toEqual(refused('invalid_scope'));
  });

  it('is valid for the scopes that the app and the consent still have', () => {
    expect(judge({ appScopes: ['openid'] })).toMatchObject({
      scopes: ['openid'],
      refreshScopes: token.scopes,
    });
    expect(judge({ grantScopes: ['usage:read'] })).toMatchObject({ scopes: ['usage:read'] });
    expect(judge({ appScopes: ['email'] })).toEqual(refused('invalid_scope'));
  });

  it('revokes every token of the grant when it is presented again', () => {
    const revoked = expect.objectContaining({
      kind: 'refuse-and-revoke',
      error: 'invalid_grant',
      revoke: 'grant',
    }) as object;
    expect(judge({ rotatedAt: later(-1) })).toEqual(revoked);
    expect(judge({ rotatedAt: later(-1), revokedAt: later(-1) })).toEqual(revoked);
    expect(judge({ rotatedAt: later(-1) }, {}, NOW + 29 * 86_400_000)).toEqual(revoked);
  });

  it('is not changed by another client, rotated or not', () => {
    expect(judge({}, { appId: 'oapp_2' })).toEqual(refused());
    expect(judge({ rotatedAt: later(-1) }, { appId: 'oapp_2' })).toEqual(refused());
  });

  it('is refused when it is unknown, revoked or expired', () => {
    expect(judge(null)).toEqual(refused());
    expect(judge({ revokedAt: later(-1) })).toEqual(refused());
    expect(judge({}, {}, token.expiresAt.getTime() - 1)).toMatchObject({ kind: 'issue' });
    expect(judge({}, {}, token.expiresAt.getTime())).toEqual(refused());
  });

  it.each(revokedGrants)('is refused when %s', (_, facts) => {
    expect(judge(facts)).toEqual(refused());
  });
});

describe('an access token', () => {
  const token = { ...grant, scopes: ['openid', 'usage:read'], expiresAt: later(3_600), revokedAt: null };

  it.each(roles)('allows its scopes to a member who is %s now', (liveRole) => {
    expect(judgeAccess({ ...token, liveRole }, NOW)).toEqual({
      kind: 'ok',
      scopes: ['openid', 'usage:read'],
      liveRole,
    });
  });

  it('allows the scopes that the app and the consent still have', () => {
    expect(judgeAccess({ ...token, appScopes: ['openid'] }, NOW)).toMatchObject({ scopes: ['openid'] });
    expect(judgeAccess({ ...token, grantScopes: [] }, NOW)).toMatchObject({ kind: 'ok', scopes: [] });
  });

  it('is revoked by its own revocation, also after its expiry', () => {
    expect(judgeAccess({ ...token, revokedAt: later(-1) }, NOW)).toEqual({ kind: 'revoked' });
    expect(judgeAccess({ ...token, revokedAt: later(-1) }, NOW + 1e9)).toEqual({ kind: 'revoked' });
  });

  it.each(revokedGrants)('is revoked when %s', (_, facts) => {
    expect(judgeAccess({ ...token, ...facts }, NOW)).toEqual({ kind: 'revoked' });
  });

  it('expires', () => {
    expect(judgeAccess(token, token.expiresAt.getTime() - 1)).toMatchObject({ kind: 'ok' });
    expect(judgeAccess(token, token.expiresAt.getTime())).toEqual({ kind: 'expired' });
    expect(judgeAccess(null, NOW)).toEqual({ kind: 'expired' });
  });
});
