import { formatSecret } from '../secrets/secret';
import { clientIdIn, readAuthorizationRequest, type AuthorizingApp } from './authorization-request';

const clientId = formatSecret('clientId', new Uint8Array(32));
const redirectUri = 'https://app.example/cb?x=1';
const app: AuthorizingApp = {
  state: 'active',
  redirectUris: ['http://127.0.0.1:3000/cb', redirectUri],
  scopes: ['openid', 'email', 'usage:read'],
};
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const right = {
  client_id: clientId,
  response_type: 'code',
  redirect_uri: redirectUri,
  scope: 'usage:read openid',
  state: 'a state&more',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

/** The valid query with other values, or without those that are null. */
function query(changed: Readonly<Record<string, string | null>> = {}): URLSearchParams {
  const given = Object.entries({ ...right, ...changed });
  return new URLSearchParams(
    given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])) as [string, string][],
  );
}
const twice = (name: keyof typeof right) => new URLSearchParams(`${query().toString()}&${name}=x`);
const read = (changed: Readonly<Record<string, string | null>>) =>
  readAuthorizationRequest(query(changed), app);

describe('an authorization request', () => {
  it('asks for its scopes', () => {
    expect(readAuthorizationRequest(query(), app)).toEqual({
      kind: 'ask',
      redirectUri,
      scopes: ['openid', 'usage:read'],
      codeChallenge,
      state: 'a state&more',
    });
  });

  it('needs no state, and ignores unknown parameters, repeated or not', () => {
    const unknown = new URLSearchParams(
      `${query({ state: null }).toString()}&prompt=none&resource=a&resource=b`,
    );
    expect(readAuthorizationRequest(unknown, app)).toMatchObject({ kind: 'ask', state: null });
  });

  it.each(['ünïcode \u{1f600}', 'line\r\nbreak', ' ', 'a'.repeat(4_096)])(
    'keeps the state %p unchanged',
    (state) => {
      expect(read({ state })).toMatchObject({ kind: 'ask', state });
    },
  );

  it('is refused on a page, never by a redirect, for an app that is unknown or revoked', () => {
    const page = { kind: 'refuse-page', reason: 'unknownClient' };
    expect(readAuthorizationRequest(query(), null)).toEqual(page);
    expect(readAuthorizationRequest(query(), { ...app, state: 'revoked' })).toEqual(page);
  });

  it.each([
    ['missing', null],
    ['empty', ''],
    ['with a slash more', `${redirectUri}/`],
    ['in capitals', 'HTTPS://App.example/cb?x=1'],
    ['with a parameter more', `${redirectUri}&y=2`],
    ['without its parameter', 'https://app.example/cb'],
    ['with a fragment', `${redirectUri}#x`],
    ['with its default port', 'https://app.example:443/cb?x=1'],
    ['with a user', 'https://app.example@evil.example/cb?x=1'],
    ['of another host', 'https://app.example.evil.test/cb?x=1'],
    ['with a path that means the same', 'https://app.example/./cb?x=1'],
    ['encoded twice', encodeURIComponent(redirectUri)],
    ['on another loopback port', 'http://127.0.0.1:3001/cb'],
    ['on another loopback host', 'http://localhost:3000/cb'],
    ['with a line break', `${redirectUri}\n`],
  ])('is refused on a page for a redirect URI that is %s', (_, redirect_uri) => {
    expect(read({ redirect_uri })).toEqual({ kind: 'refuse-page', reason: 'unknownRedirectUri' });
  });

  it('is refused on a page for two redirect URIs', () => {
    expect(readAuthorizationRequest(twice('redirect_uri'), app)).toMatchObject({ kind: 'refuse-page' });
  });

  it.each([
    ['no response type', { response_type: null }, 'invalid_request'],
    ['the response type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['two response types', { response_type: 'code token' }, 'unsupported_response_type'],
    ['the response type toString', { response_type: 'toString' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: null }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['a padded challenge', { code_challenge: `${codeChallenge}=` }, 'invalid_request'],
    ['a challenge in base64', { code_challenge: codeChallenge.replace('-', '+') }, 'invalid_request'],
    ['no challenge method, which means plain', { code_challenge_method: null }, 'invalid_request'],
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['S512', { code_challenge_method: 'S512' }, 'invalid_request'],
    ['no scope', { scope: null }, 'invalid_scope'],
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['a scope that the app is not registered for', { scope: 'openid wallet:read' }, 'invalid_scope'],
  ])('is refused to the app, with its state, for %s', (_, changed, error) => {
    expect(read(changed)).toMatchObject({
      kind: 'refuse-redirect',
      redirectUri,
      error,
      description: expect.stringMatching(/./) as string,
      state: 'a state&more',
    });
  });

  it.each(['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'client_id'] as const)(
    'is refused to the app when %s is repeated',
    (name) => {
      expect(readAuthorizationRequest(twice(name), app)).toMatchObject({
        kind: 'refuse-redirect',
        error: 'invalid_request',
        state: 'a state&more',
      });
    },
  );

  it('is refused without echoing a state that is repeated or too long', () => {
    const refused = { kind: 'refuse-redirect', error: 'invalid_request', state: null };
    expect(readAuthorizationRequest(twice('state'), app)).toMatchObject(refused);
    expect(read({ state: 'a'.repeat(4_097) })).toMatchObject(refused);
  });
});

describe('the client id of an authorization request', () => {
  it('is the one in the query', () => {
    expect(clientIdIn(query())).toBe(clientId);
  });

  it('is null when it is missing, repeated, or of another form', () => {
    expect(clientIdIn(query({ client_id: null }))).toBeNull();
    expect(clientIdIn(twice('client_id'))).toBeNull();
    expect(clientIdIn(query({ client_id: `${clientId}\0` }))).toBeNull();
  });
});
