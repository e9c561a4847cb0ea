import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JWK } from 'jose';
import { lifetimesMs } from '@svc/access';
import { PLATFORM_TOKEN } from '../testing/auth-under-test';
import { ISSUER, OauthUnderTest, tokensIn, type TestApp, type TestMember } from '../testing/oauth-under-test';

const KEYS = '/platform/v1/signing-keys';

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeEach(async () => {
  oauth = await OauthUnderTest.start();
  member = await oauth.newMember();
  app = await oauth.newApp();
});
afterEach(() => oauth.close());

const operator = { authorization: `Bearer ${PLATFORM_TOKEN}` };
const jwks = async (): Promise<{ keys: JWK[] }> => (await oauth.get('/.well-known/jwks.json')).body;
const rotate = () => oauth.call('POST', `${KEYS}/rotate`, { headers: operator });

it('a start makes a key that signs and one that waits; both are published, without their private half', async () => {
  const { body } = await oauth.get(KEYS, operator);
  expect(body.data.map(({ state }: { state: string }) => state).sort()).toEqual(['active', 'next']);
  const { keys } = await jwks();
  expect(keys).toHaveLength(2);
  for (const key of keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    expect(key.kid).toBe(await calculateJwkThumbprint(key));
  }
  const rows = await oauth.prisma.signingKey.findMany();
  for (const { privateKeyCiphertext } of rows)
    expect(Buffer.from(privateKeyCiphertext).toString()).not.toContain('"d"');
});

it('anybody can verify a token by the published keys', async () => {
  const { access } = await oauth.tokensFor(app, member);
  const { payload } = await jwtVerify(access, createLocalJWKSet(await jwks()), {
    issuer: ISSUER,
    audience: ISSUER,
    typ: 'at+jwt',
    currentDate: new Date(oauth.clock.now()),
  });
  expect(payload.sub).toBe(member.userId);
});

it('80 a token outlives the key that signed it being retired, and ends with the key’s removal', async () => {
  const before = await oauth.tokensFor(app, member);
  expect((await rotate()).status).toBe(200);
  // A signer caches its key for a minute.
  oauth.clock.advance(60_000);
  const after = tokensIn(await oauth.refresh(app, before.refresh));
  const kid = (access: string) => decodeProtectedHeader(access).kid;
  expect(kid(after.access)).not.toBe(kid(before.access));
  for (const { access } of [before, after]) expect(await oauth.endOf(access)).toBe('ok');
  expect((await jwks()).keys).toHaveLength(3);

  await oauth.prisma.signingKey.deleteMany({ where: { state: 'retired' } });
  oauth.clock.advance(60_000);
  expect(await oauth.endOf(before.access)).toBe('401 invalid_token');
  expect(await oauth.endOf(after.access)).toBe('ok');
});

it('keys turn on the operator’s word alone, and a retired one is forgotten when its tokens are', async () => {
  expect((await oauth.call('POST', `${KEYS}/rotate`, {})).status).toBe(401);
  const first = await rotate();
  expect(first.body.data.map(({ state }: { state: string }) => state).sort()).toEqual([
    'active',
    'next',
    'retired',
  ]);
  expect(JSON.stringify(first.body)).not.toContain('private');
  const agesMs = 2 * lifetimesMs.accessToken;
  await oauth.prisma
    .$executeRaw`UPDATE signing_keys SET retired_at = retired_at - ${agesMs}::int * interval '1 ms'`;
  expect((await rotate()).body.data).toHaveLength(3);
});
