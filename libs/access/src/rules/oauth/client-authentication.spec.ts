import fc from 'fast-check';
import { formatSecret, secretHash } from '../secrets/secret';
import { CLIENT_REFUSED, isAuthenticClient, readClientAuthentication } from './client-authentication';

const clientId = formatSecret('clientId', new Uint8Array(32));
const clientSecret = formatSecret('clientSecret', new Uint8Array(32).fill(255));
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
/** As openid-client does: everything except letters and digits is escaped. */
const escaped = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

describe('a client', () => {
  it.each([
    ['as it is', basic(`${clientId}:${clientSecret}`)],
    ['form-url-encoded', basic(`${escaped(clientId)}:${escaped(clientSecret)}`)],
    ['with its scheme in small letters', basic(`${clientId}:${clientSecret}`).replace('Basic', 'basic')],
  ])('authenticates by Basic %s', (_, authorization) => {
    expect(readClientAuthentication(authorization, {})).toEqual({
      kind: 'client',
      clientId,
      clientSecret,
      method: 'basic',
    });
  });

  it('may send any encoded secret by Basic, with colons and spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (secret) => {
        const encoded = new URLSearchParams({ s: secret }).toString().slice(2);
        expect(readClientAuthentication(basic(`${clientId}:${encoded}`), {})).toMatchObject({
          kind: 'client',
          clientSecret: secret,
        });
      }),
    );
    expect(readClientAuthentication(basic(`${clientId}:a:b`), {})).toMatchObject({ clientSecret: 'a:b' });
  });

  it('authenticates in the body, or not at all', () => {
    const body = { client_id: clientId, client_secret: clientSecret };
    expect(readClientAuthentication(undefined, body)).toMatchObject({
      clientId,
      clientSecret,
      method: 'body',
    });
    const nothing = { clientId, clientSecret: null };
    expect(readClientAuthentication(undefined, { client_id: clientId })).toMatchObject(nothing);
    expect(readClientAuthentication('', { client_id: clientId, client_secret: '' })).toMatchObject(nothing);
    expect(readClientAuthentication(basic(`${clientId}:`), {})).toMatchObject(nothing);
  });

  it('may repeat its id in the body', () => {
    expect(
      readClientAuthentication(basic(`${clientId}:${clientSecret}`), { client_id: clientId }),
    ).toMatchObject({ kind: 'client', method: 'basic' });
  });

  it.each([
    ['both ways', basic(`${clientId}:${clientSecret}`), { client_secret: clientSecret }],
    ['both ways, the second wrong', basic(`${clientId}:${clientSecret}`), { client_secret: 'x' }],
    ['with two ids', basic(`${clientId}:${clientSecret}`), { client_id: 'other' }],
    ['without an id', undefined, {}],
    ['with a list of ids', undefined, { client_id: [clientId] }],
    ['with a number for a secret', undefined, { client_id: clientId, client_secret: 1 }],
  ])('is told of an invalid request when it comes %s', (_, authorization, body) => {
    expect(readClientAuthentication(authorization, body)).toMatchObject({
      kind: 'refuse',
      error: 'invalid_request',
    });
  });

  it.each([
    ['a bearer', `Bearer ${clientSecret}`],
    ['no base64', 'Basic ####'],
    ['nothing', 'Basic '],
    ['no colon', basic(clientId)],
    ['an empty id', basic(`:${clientSecret}`)],
    ['a broken escape', basic(`${clientId}:%ZZ`)],
    ['an escape that is no UTF-8', basic(`${clientId}:%ff`)],
    ['an id that is no UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`],
    ['an id with NUL', basic(`${clientId}%00:${clientSecret}`)],
  ])('is refused by Basic with %s', (_, authorization) => {
    expect(readClientAuthentication(authorization, {})).toEqual({
      kind: 'refuse',
      error: 'invalid_client',
      description: CLIENT_REFUSED,
      method: 'basic',
    });
  });

  it('is refused with an id of another form in the body', () => {
    expect(readClientAuthentication(undefined, { client_id: 'constructor' })).toMatchObject({
      kind: 'refuse',
      error: 'invalid_client',
      method: 'none',
    });
  });
});

describe('an app', () => {
  const confidential = { state: 'active', clientSecretSha256: secretHash(clientSecret) } as const;
  const open = { state: 'active', clientSecretSha256: null } as const;

  it('that is confidential must send its own secret', () => {
    expect(isAuthenticClient(confidential, clientSecret)).toBe(true);
    expect(isAuthenticClient(confidential, formatSecret('clientSecret', new Uint8Array(32)))).toBe(false);
    expect(isAuthenticClient(confidential, '')).toBe(false);
    expect(isAuthenticClient(confidential, null)).toBe(false);
  });

  it('that is public must send none', () => {
    expect(isAuthenticClient(open, null)).toBe(true);
    expect(isAuthenticClient(open, clientSecret)).toBe(false);
    expect(isAuthenticClient(open, '')).toBe(false);
  });

  it('that is revoked or unknown is refused, whatever it sends', () => {
    expect(isAuthenticClient({ ...confidential, state: 'revoked' }, clientSecret)).toBe(false);
    expect(isAuthenticClient({ ...open, state: 'revoked' }, null)).toBe(false);
    expect(isAuthenticClient(null, clientSecret)).toBe(false);
    expect(isAuthenticClient(null, null)).toBe(false);
  });
});
