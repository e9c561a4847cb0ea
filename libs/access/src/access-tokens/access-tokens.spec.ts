import { createHmac, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { accessTokenClaims } from '../rules/oauth/access-token-claims';
import { AccessTokenSigner } from './access-token-signer';
import { AccessTokenVerifier } from './access-token-verifier';
import { jwks, newSigningKey, type PublishedKey, type SigningKey } from './signing-key';

const NOW_MS = 1_800_000_000_000;
const ISSUER = 'https://svc.example';
const claims = accessTokenClaims(
  {
    jti: 'jti-1',
    issuer: ISSUER,
    audience: ISSUER,
    userId: 'usr_1',
    organizationId: 'org_1',
    grantId: 'grant_1',
    clientId: 'svc_client_1',
    scopes: ['openid'],
    role: 'viewer',
  },
  NOW_MS,
);

/** Stored keys, with counters of the look-ups. */
class Keys {
  signing!: SigningKey;
  shown: readonly PublishedKey[] = [];
  askCount = 0;

  active = (): Promise<SigningKey> => Promise.resolve(this.signing);
  published = (): Promise<readonly PublishedKey[]> => {
    this.askCount++;
    return Promise.resolve(this.shown);
  };
}

let clockMs: number;
const clock = { now: () => clockMs };
let keys: Keys;
let signer: AccessTokenSigner;
let verifier: AccessTokenVerifier;
beforeEach(async () => {
  clockMs = NOW_MS;
  keys = new Keys();
  keys.signing = await newSigningKey();
  keys.shown = [keys.signing];
  signer = new AccessTokenSigner(keys, clock);
  verifier = new AccessTokenVerifier({ keys, clock, issuer: ISSUER, audience: ISSUER });
});

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const privateKey = (key: SigningKey) => ({ key: { ...key.privateJwk }, format: 'jwk' }) as const;

/** A JWT with any header and claims, signed with the valid key. */
function forged(header: object, changed: object = {}): string {
  const right = { alg: 'EdDSA', typ: 'at+jwt', kid: keys.signing.kid };
  const body = `${base64url({ ...right, ...header })}.${base64url({ ...claims, ...changed })}`;
  return `${body}.${signWith(null, Buffer.from(body), privateKey(keys.signing)).toString('base64url')}`;
}

const refused = (jwt: string) =>
  expect(verifier.verify(jwt)).rejects.toMatchObject({
    reason: 'invalidToken',
    message: 'The access token is expired or not valid.',
  });

describe('an access token', () => {
  it('gives the verifier the claims of the signer', async () => {
    expect(await verifier.verify(await signer.sign(claims))).toEqual(claims);
    // The tests below change only one thing of a valid token.
    expect(await verifier.verify(forged({}))).toEqual(claims);
  });

  it.each(['none', 'None', 'HS256', 'ES256', 'Ed448', ''])('71 signed by %p is refused', async (alg) => {
    await refused(forged({ alg }));
    await refused(`${forged({ alg }).split('.').slice(0, 2).join('.')}.`);
  });

  it('72 signed with the public key for a shared secret is refused', async () => {
    const { publicJwk, kid } = keys.signing;
    const pem = createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    for (const secret of [
      pem,
      JSON.stringify(publicJwk),
      publicJwk.x,
      Buffer.from(publicJwk.x, 'base64url'),
      '',
    ]) {
      const body = `${base64url({ alg: 'HS256', typ: 'at+jwt', kid })}.${base64url(claims)}`;
      await refused(`${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`);
    }
  });

  it.each([
    '',
    '../../dev/null',
    "' OR 1=1 --",
    'https://evil.example/jwks.json',
    '__proto__',
    undefined,
    7,
    null,
  ])('73 with the key id %p is refused', async (kid) => {
    await refused(forged({ kid }));
  });

  it('74 with an embedded key is refused', async () => {
    const own = await newSigningKey();
    const theirs = {
      jwk: own.publicJwk,
      jku: 'https://evil.example/jwks.json',
      x5u: 'https://evil.example/x',
    };
    for (const kid of [own.kid, keys.signing.kid, undefined]) {
      const body = `${base64url({ alg: 'EdDSA', typ: 'at+jwt', kid, ...theirs })}.${base64url(claims)}`;
      await refused(`${body}.${signWith(null, Buffer.from(body), privateKey(own)).toString('base64url')}`);
    }
  });

  it.each([{ crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }])(
    '75 with %p is refused',
    async (header) => {
      await refused(forged(header));
    },
  );

  it.each(['JWT', 'id_token+jwt', '', undefined])('76 of the type %p is refused', async (typ) => {
    await refused(forged({ typ }));
  });

  it('77 with an empty signature, or one of another key or kind of key, is refused', async () => {
    const [header = '', payload = ''] = (await signer.sign(claims)).split('.');
    await refused(`${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`);
    await refused(`${header}.${payload}.`);
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await refused(
      `${header}.${payload}.${signWith('sha256', Buffer.from(`${header}.${payload}`), key).toString('base64url')}`,
    );
  });

  it('with other claims than were signed is refused', async () => {
    const [header = '', , signature = ''] = (await signer.sign(claims)).split('.');
    await refused(`${header}.${base64url({ ...claims, role: 'owner' })}.${signature}`);
  });

  it.each([
    ['another issuer', { iss: `${ISSUER}/` }],
    ['another audience', { aud: 'https://other.example' }],
    ['no audience', { aud: undefined }],
    ['no id', { jti: undefined }],
    ['no end', { exp: undefined }],
    ['an end in words', { exp: 'never' }],
    ['a beginning to come', { nbf: NOW_MS / 1_000 + 1 }],
  ])('78 with %s is refused', async (_, changed) => {
    await refused(forged({}, changed));
  });

  it('78 expires with its last second', async () => {
    const jwt = await signer.sign(claims);
    clockMs = claims.exp * 1_000 - 1;
    expect(await verifier.verify(jwt)).toEqual(claims);
    clockMs = claims.exp * 1_000;
    await refused(jwt);
  });

  it.each(['', '.', '..', 'a.b.c', 'eyJhbGciOiJFZERTQSJ9', '{}.{}.{}', '\0.\0.\0'])(
    'is not %p',
    async (text) => {
      await refused(text);
      await refused(text.repeat(20_000));
    },
  );

  it('79 with another encoding of its signature has the same id, so revocation by id covers it', async () => {
    const jwt = await signer.sign(claims);
    // The signature uses only two of the last character's six bits.
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = ALPHABET.charAt(ALPHABET.indexOf(jwt.slice(-1)) ^ 1);
    for (const spelling of [jwt.slice(0, -1) + last, `${jwt} `, `${jwt}\n`]) {
      expect(spelling).not.toBe(jwt);
      expect((await verifier.verify(spelling)).jti).toBe(claims.jti);
    }
  });
});

describe('rotated keys', () => {
  it('80 verify tokens of a retired key, but not of a deleted one', async () => {
    const old = await signer.sign(claims);
    const next = await newSigningKey();
    keys.shown = [next, keys.signing];
    expect(await verifier.verify(old)).toEqual(claims);
    keys.shown = [next];
    clockMs += 60_000;
    await refused(old);
  });

  it('are used by the signer within a minute', async () => {
    const first = await signer.sign(claims);
    keys.signing = await newSigningKey();
    keys.shown = [keys.signing, ...keys.shown];
    expect(await signer.sign(claims)).toBe(first);
    clockMs += 60_000;
    const second = await signer.sign(claims);
    expect(second).not.toBe(first);
    expect(await verifier.verify(second)).toEqual(claims);
    expect(await verifier.verify(first)).toEqual(claims);
  });

  it('are used by signer and verifier at once after a clock was set back by a day', async () => {
    await verifier.verify(await signer.sign(claims));
    keys.signing = await newSigningKey();
    keys.shown = [keys.signing];
    clockMs -= 24 * 3_600_000;
    expect(await verifier.verify(await signer.sign(claims))).toEqual(claims);
  });

  it('are fetched at once for an unknown key id, but at most every two seconds', async () => {
    await verifier.verify(await signer.sign(claims));
    clockMs += 2_000;
    keys.signing = await newSigningKey();
    keys.shown = [keys.signing];
    expect(await verifier.verify(forged({}))).toEqual(claims);
    expect(keys.askCount).toBe(2);
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => refused(forged({ kid: `forged-${String(at)}` }))),
    );
    expect(keys.askCount).toBe(2);
    clockMs += 2_000;
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => refused(forged({ kid: `forged-${String(at)}` }))),
    );
    expect(keys.askCount).toBe(3);
  });

  it('that cannot be fetched fail the call, and do not make the token invalid', async () => {
    const down = { published: () => Promise.reject(new Error('database is down')) };
    const blind = new AccessTokenVerifier({ keys: down, clock, issuer: ISSUER, audience: ISSUER });
    await expect(blind.verify(await signer.sign(claims))).rejects.toThrow('database is down');
  });
});

describe('a key set', () => {
  it('contains only the public part of each key', () => {
    const { kid, publicJwk } = keys.signing;
    const entry = { kid, kty: 'OKP', crv: 'Ed25519', x: publicJwk.x, alg: 'EdDSA', use: 'sig' };
    expect(jwks([keys.signing])).toEqual({ keys: [entry] });
    const careless = { ...keys.signing, publicJwk: keys.signing.privateJwk };
    expect(jwks([careless])).toEqual({ keys: [entry] });
  });
});
