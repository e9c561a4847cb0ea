import { createHash } from 'node:crypto';
import { authorizeUrl, EXAMPLE_VERIFIER, linesOf, uriProblem } from './oauth-app';

describe('an address to come back to', () => {
  it.each(['https://charts.example/callback', 'http://127.0.0.1:8080/cb', 'http://localhost/cb?tenant=1'])(
    'is %s',
    (uri) => expect(uriProblem(uri)).toBeNull(),
  );

  it.each([
    ['/callback', 'notAbsolute'],
    ['http://charts.example/callback', 'notHttps'],
    ['javascript:alert(1)', 'notHttps'],
    ['https://charts.example/#done', 'fragment'],
    ['https://me:secret@charts.example/', 'user'],
    ['https://charts.example/*', 'wildcard'],
    ['https://charts.example/?code=1', 'answered'],
  ])('is not %s: %s', (uri, problem) => expect(uriProblem(uri)).toBe(problem));

  it('is one a line', () => expect(linesOf(' https://a.example \n\nhttps://b.example')).toHaveLength(2));
});

describe('the address of the consent', () => {
  it('has the challenge of its example verifier', () => {
    const url = new URL(
      authorizeUrl({
        origin: 'https://svc.example',
        clientId: 'svc_client_1',
        redirectUri: 'https://charts.example/callback',
        scopes: ['openid', 'usage:read'],
      }),
    );
    expect(url.searchParams.get('scope')).toBe('openid usage:read');
    expect(url.searchParams.get('code_challenge')).toBe(
      createHash('sha256').update(EXAMPLE_VERIFIER).digest('base64url'),
    );
  });
});
