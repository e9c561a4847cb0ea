import { lifetimesMs } from '@svc/access';
import {
  basic,
  OauthUnderTest,
  refusedWith,
  tokensIn,
  type Answered,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

const REVOKE = '/api/v1/oauth/revoke';

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
  member = await oauth.newMember();
  app = await oauth.newApp();
});
// Failures of earlier tests must not count.
beforeEach(async () => {
  await oauth.passGuesses(30 * 60_000);
  member = { ...member, browser: await oauth.logIn(member.userId) };
});
afterAll(() => oauth.close());

const revoke = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> => oauth.post(REVOKE, new URLSearchParams(fields), headers);
const credentials = ({ clientId, secret }: TestApp) => ({ client_id: clientId, client_secret: secret! });

function expectDone({ status, headers, body }: Answered): void {
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('application/json');
  expect(body).toEqual({});
}

it.each([
  ['a token that never was', { token: `svc_rt_${'A'.repeat(43)}` }],
  ['garbage', { token: "' OR 1=1 --" }],
  ['a forged JWT', { token: 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.' }],
  ['an empty token', { token: '' }],
  ['no token', {}],
  ['a hint of another kind', { token: 'x', token_type_hint: 'nonsense' }],
])('66 %s is answered 200 with {}', async (_, fields) => {
  expectDone(await revoke({ ...fields, ...credentials(app) }));
  expectDone(await revoke(fields));
});

it.each([
  ['no body', '', {}],
  ['a body of another type', 'token=x', { 'content-type': 'text/plain' }],
  ['JSON that ends too early', '{', { 'content-type': 'application/json' }],
  ['a list', '[]', { 'content-type': 'application/json' }],
] as const)('%s is answered 200 with {}', async (_, body, headers) => {
  expectDone(await oauth.post(REVOKE, body, headers));
});

it('66 an expired token is answered 200 with {}', async () => {
  const { access } = await oauth.tokensFor(app, member);
  oauth.clock.advance(lifetimesMs.accessToken);
  expectDone(await revoke({ token: access, ...credentials(app) }));
});

it('66 another app’s token is answered 200 with {}, and stays good', async () => {
  const other = await oauth.newApp();
  const { access, refresh } = await oauth.tokensFor(app, member);
  for (const token of [access, refresh]) expectDone(await revoke({ token, ...credentials(other) }));
  expect(await oauth.endOf(access)).toBe('ok');
  expect((await oauth.refresh(app, refresh)).status).toBe(200);
});

it('66 a wrong secret is answered 200 with {}, and revokes nothing, however often', async () => {
  const { access, refresh } = await oauth.tokensFor(app, member);
  for (let time = 0; time < 8; time++) {
    expectDone(await revoke({ token: refresh, client_id: app.clientId, client_secret: 'wrong' }));
  }
  expectDone(await revoke({ token: access, client_id: app.clientId }));
  expectDone(await revoke({ token: access }, { authorization: basic(app.clientId, 'wrong') }));
  expect(await oauth.endOf(access)).toBe('ok');
});

it.each<[string, (token: string) => Promise<Answered>]>([
  ['by the body', (token) => revoke({ token, ...credentials(app) })],
  ['by Basic', (token) => revoke({ token }, { authorization: basic(app.clientId, app.secret!) })],
  ['by who has it, and names no client', (token) => revoke({ token })],
  [
    'in JSON',
    (token) =>
      oauth.post(REVOKE, JSON.stringify({ token, ...credentials(app) }), {
        'content-type': 'application/json',
      }),
  ],
])('67 a refresh token %s takes what came of the same code along, and nothing else', async (_, giveUp) => {
  const first = await oauth.tokensFor(app, member);
  const second = tokensIn(await oauth.refresh(app, first.refresh));
  const otherDevice = await oauth.tokensFor(app, member);
  expectDone(await giveUp(second.refresh));
  for (const { access } of [first, second]) expect(await oauth.endOf(access)).toBe('401 token_revoked');
  expect(await oauth.refresh(app, second.refresh)).toMatchObject(refusedWith('invalid_grant'));
  expect(await oauth.endOf(otherDevice.access)).toBe('ok');
});

it('68 an access token goes alone: the refresh token lives', async () => {
  const { access, refresh } = await oauth.tokensFor(app, member);
  expectDone(await revoke({ token: access, token_type_hint: 'access_token', ...credentials(app) }));
  expect(await oauth.endOf(access)).toBe('401 token_revoked');
  expect(await oauth.endOf(tokensIn(await oauth.refresh(app, refresh)).access)).toBe('ok');
});

const entriesOf = (organizationId: string) =>
  oauth.prisma.auditEntry.findMany({
    where: { organizationId, action: 'grant.revoke_tokens' },
    orderBy: { id: 'asc' },
  });

it('what is given up is audited once, with who gave it up', async () => {
  const { access, refresh } = await oauth.tokensFor(app, member);
  const known = (await entriesOf(member.organizationId)).length;
  for (const token of [access, access]) expectDone(await revoke({ token, ...credentials(app) }));
  for (const token of [refresh, refresh]) expectDone(await revoke({ token }));
  expectDone(await revoke({ token: 'garbage' }));
  expect((await entriesOf(member.organizationId)).slice(known)).toMatchObject([
    { actorType: 'oauth_app', actorId: app.id, changes: { reason: { to: 'access_token_given_up' } } },
    { actorType: 'system', actorId: null, changes: { reason: { to: 'refresh_token_given_up' } } },
  ]);
});
