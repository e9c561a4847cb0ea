import { retryBusy } from '@svc/testing';
import {
  OauthUnderTest,
  tokensIn,
  type Answered,
  type TestApp,
  type TestMember,
  type TestTokens,
} from './oauth-under-test';

/** Calls so many times at once. @returns the one success; every other answer is a replay. */
async function onlySuccess(times: number, call: () => Promise<Answered>): Promise<TestTokens> {
  const answers = await Promise.all(Array.from({ length: times }, () => retryBusy(call)));
  const ends = answers.map(({ status, body }) => (status === 200 ? 'issued' : body.error.code));
  expect(ends.sort()).toEqual([...answers.slice(1).map(() => 'invalid_grant'), 'issued']);
  const [success] = answers.filter(({ status }) => status === 200);
  if (success === undefined) throw new Error('No answer succeeded.');
  return tokensIn(success);
}

/** Codes and refresh tokens that are presented twice at once, so many times each. */
export const describeSimultaneousAnswers = (rounds: number): void => {
  let oauth: OauthUnderTest;
  let member: TestMember;
  let app: TestApp;
  beforeAll(async () => {
    oauth = await OauthUnderTest.start();
    member = await oauth.newMember();
    app = await oauth.newApp();
  });
  afterAll(() => oauth.close());

  it(`41 of two simultaneous exchanges one succeeds, and the replay ends its tokens, ${String(rounds)} times of ${String(rounds)}`, async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await oauth.newCode(app, member);
      const { access, refresh } = await onlySuccess(2, () => oauth.exchange(app, code));
      expect(await oauth.endOf(access)).toBe('401 token_revoked');
      expect((await oauth.refresh(app, refresh)).body.error.code).toBe('invalid_grant');
    }
  });

  it(`59 of two simultaneous refreshes one succeeds, and the reuse ends every token of the grant, ${String(rounds)} times of ${String(rounds)}`, async () => {
    for (let round = 0; round < rounds; round++) {
      const first = await oauth.tokensFor(app, member);
      const otherDevice = await oauth.tokensFor(app, member);
      const second = await onlySuccess(2, () => oauth.refresh(app, first.refresh));
      for (const { access } of [first, second, otherDevice]) {
        expect(await oauth.endOf(access)).toBe('401 token_revoked');
      }
      expect((await oauth.refresh(app, otherDevice.refresh)).body.error.code).toBe('invalid_grant');
    }
  });

  it('41 of eight simultaneous exchanges one succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const code = await oauth.newCode(app, member);
      const { access } = await onlySuccess(8, () => oauth.exchange(app, code));
      expect(await oauth.endOf(access)).toBe('401 token_revoked');
    }
  });
};
