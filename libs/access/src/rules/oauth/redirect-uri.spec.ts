import fc from 'fast-check';
import { isAllowedHomepage, isAllowedRedirectUri, redirectWith } from './redirect-uri';

describe('a redirect URI', () => {
  it.each([
    'https://app.example/cb',
    'https://app.example',
    'https://app.example:8443/cb?tenant=1&x',
    'https://[2001:db8::1]/cb',
    'https://app.example/a%20b/@me',
    'http://localhost:3000/cb',
    'http://localhost',
    'http://127.0.0.1:49152/cb',
    'http://[::1]:3000/cb?x=1',
  ])('may be %s', (text) => {
    expect(isAllowedRedirectUri(text)).toBe(true);
  });

  it.each([
    ['relative', '/cb'],
    ['without a host', 'https:///cb'],
    ['with a port alone', 'https://:443/cb'],
    ['http', 'http://app.example/cb'],
    ['http on a name that only begins like loopback', 'http://localhost.example/cb'],
    ['http on 127.0.0.1.nip.io', 'http://127.0.0.1.nip.io/cb'],
    ['http on 0.0.0.0', 'http://0.0.0.0/cb'],
    ['http on a loopback address in other digits', 'http://2130706433/cb'],
    ['http on a loopback user', 'http://localhost@evil.example/cb'],
    ['a script', 'javascript:alert(1)//https://app.example'],
    ['data', 'data:text/html,hi'],
    ['a scheme of its own', 'myapp://cb'],
    ['in capitals', 'HTTPS://app.example/cb'],
    ['with a fragment', 'https://app.example/cb#top'],
    ['with an empty fragment', 'https://app.example/cb#'],
    ['with a user', 'https://app.example@evil.example/cb'],
    ['with a password', 'https://u:p@app.example/cb'],
    ['with a wildcard', 'https://*.app.example/cb'],
    ['with a wildcard in its path', 'https://app.example/*'],
    ['with a back slash', 'https://app.example\\@evil.example/cb'],
    ['with a space', 'https://app.example/a b'],
    ['with a line break', 'https://app.example/cb\r\nset-cookie:x=1'],
    ['with a tab in its host', 'https://app.ex\tample/cb'],
    ['with characters beyond ASCII', 'https://äpp.example/cb'],
    ['with a broken escape', 'https://app.example/%zz'],
    ['with a parameter that we append', 'https://app.example/cb?code=1'],
    ['with our parameter in other letters of its name', 'https://app.example/cb?x=1&%73tate=1'],
    ['with a port that is none', 'http://localhost:99999/cb'],
    ['longer than anybody needs', `https://app.example/${'a'.repeat(2_000)}`],
    ['empty', ''],
  ])('is not %s', (_, text) => {
    expect(isAllowedRedirectUri(text)).toBe(false);
  });
});

describe('a homepage', () => {
  it.each([
    'https://app.example',
    'https://app.example/about?x=1#team',
    'https://äpp.example/',
    'http://localhost:3000',
  ])('may be %s', (text) => {
    expect(isAllowedHomepage(text)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    'http://app.example',
    'app.example',
    'https://',
    'https://bank.example@evil.example',
    'https://a b.example',
    ' https://app.example',
    `https://app.example/${'a'.repeat(2_000)}`,
  ])('is not %p', (text) => {
    expect(isAllowedHomepage(text)).toBe(false);
  });
});

describe('a redirect', () => {
  it.each([
    ['https://app.example/cb', 'https://app.example/cb?code=c&state=s'],
    ['https://app.example', 'https://app.example?code=c&state=s'],
    ['https://app.example/cb?x=1&y=%20', 'https://app.example/cb?x=1&y=%20&code=c&state=s'],
    ['https://app.example/cb?', 'https://app.example/cb?code=c&state=s'],
    ['https://app.example/cb?x&', 'https://app.example/cb?x&code=c&state=s'],
    ['https://app.example/a/../b', 'https://app.example/a/../b?code=c&state=s'],
  ])('to %s keeps it as it was registered', (uri, expected) => {
    expect(redirectWith(uri, { code: 'c', state: 's' })).toBe(expected);
  });

  it('carries any text without breaking the header or the query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (state) => {
        const location = redirectWith('https://app.example/cb?x=1', { error: 'access_denied', state });
        expect(location).toMatch(/^[\x21-\x7e]+$/);
        expect(new URL(location).searchParams.get('state')).toBe(state);
        expect(new URL(location).hash).toBe('');
      }),
    );
  });

  it('leaves out null parameters', () => {
    expect(redirectWith('https://app.example/cb', { error: 'x', state: null })).toBe(
      'https://app.example/cb?error=x',
    );
    expect(redirectWith('https://app.example/cb', { state: null })).toBe('https://app.example/cb');
  });
});
