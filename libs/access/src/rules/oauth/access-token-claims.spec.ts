import { accessTokenClaims } from './access-token-claims';

describe('the claims of an access token', () => {
  it('name the user, the app and the scopes, and expire one hour after the whole second', () => {
    const facts = {
      jti: 'j',
      issuer: 'https://svc.example',
      audience: 'https://svc.example/api',
      userId: 'usr_1',
      organizationId: 'org_1',
      grantId: 'grant_1',
      clientId: 'svc_client_1',
      scopes: ['openid', 'usage:read'],
      role: 'viewer',
    } as const;
    expect(accessTokenClaims(facts, 1_800_000_000_999)).toEqual({
      jti: 'j',
      iss: 'https://svc.example',
      aud: 'https://svc.example/api',
      sub: 'usr_1',
      organization_id: 'org_1',
      grant_id: 'grant_1',
      azp: 'svc_client_1',
      client_id: 'svc_client_1',
      scp: ['openid', 'usage:read'],
      scope: 'openid usage:read',
      role: 'viewer',
      iat: 1_800_000_000,
      exp: 1_800_003_600,
    });
  });
});
