import {
  OauthUnderTest,
  tokensIn,
  type Answered,
  type TestApp,
  type TestMember,
  type TestTokens,
} from '../testing/oauth-under-test';

const ROUNDS = 100;

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
  member = await oauth.newMember();
  app = await oauth.newApp();
});
afterAll(() => oauth.close());

/** The one success; every other answer is a replay. */
function onlySuccess(answers: readonly Answered[]): TestTokens {
  const ends = answers.map(({ status, body }) => (status === 200 ? 'issued' : body.error.code));
  expect(ends.sort()).toEqual([...answers.slice(1).map(() => 'invalid_grant'), 'issued']);
  return tokensIn(answers.find(({ status }) => status === 200)!);
}

it(`41 of two simultaneous exchanges one succeeds, and the replay ends its tokens, ${String(ROUNDS)} times of ${String(ROUNDS)}`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const code = await oauth.newCode(app, member);
    const exchange = () => oauth.exchange(app, code);
    const { access, refresh } = onlySuccess(await Promise.all([exchange(), exchange()]));
    expect(await oauth.endOf(access)).toBe('401 token_revoked');
    expect((await oauth.refresh(app, refresh)).body.error.code).toBe('invalid_grant');
  }
});

it(`59 of two simultaneous refreshes one succeeds, and the reuse ends every token of the grant, ${String(ROUNDS)} times of ${String(ROUNDS)}`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = await oauth.tokensFor(app, member);
    const otherDevice = await oauth.tokensFor(app, member);
    const refresh = () => oauth.refresh(app, first.refresh);
    const second = onlySuccess(await Promise.all([refresh(), refresh()]));
    for (const { access } of [first, second, otherDevice]) {
      expect(await oauth.endOf(access)).toBe('401 token_revoked');
    }
    expect((await oauth.refresh(app, otherDevice.refresh)).body.error.code).toBe('invalid_grant');
  }
});

it('41 of eight simultaneous exchanges one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const code = await oauth.newCode(app, member);
    const { access } = onlySuccess(
      await Promise.all(Array.from({ length: 8 }, () => oauth.exchange(app, code))),
    );
    expect(await oauth.endOf(access)).toBe('401 token_revoked');
  }
});
