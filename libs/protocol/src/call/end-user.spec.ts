import { endUserIn } from './end-user';

const ofMetadata = (userId: unknown) => endUserIn({ metadata: { user_id: userId } });
const claudeCode = (device: string, account: string, session: string) => ({
  json: JSON.stringify({ device_id: device, account_uuid: account, session_id: session }),
  before: `user_${device}_account_${account}_session_${session}`,
});

describe('whom a body names', () => {
  it.each([
    [{ safety_identifier: 'a', user: 'b', metadata: { user_id: 'c' } }, 'a'],
    [{ safety_identifier: '', user: 'b' }, 'b'],
    [{ safety_identifier: null, user: null, metadata: { user_id: 'c' } }, 'c'],
    [{ user: '', metadata: { user_id: '' } }, null],
    [{ metadata: null }, null],
    [{ metadata: { user_id: 42 } }, '42'],
    [{ prompt_cache_key: 'a' }, null],
    [{}, null],
  ])('in %j is %j', (body, expected) => {
    expect(endUserIn(body)).toBe(expected);
  });

  it('is whole, whatever is in it', () => {
    const odd = `\u0000\n${'x'.repeat(5_000)}`;
    expect(endUserIn({ user: odd })).toBe(odd);
  });
});

describe('whom Claude Code names', () => {
  it('is the account, in both forms, in every session', () => {
    for (const session of ['s1', 's2']) {
      const { json, before } = claudeCode('d1', 'a1', session);
      expect([ofMetadata(json), ofMetadata(before)]).toEqual(['a1', 'a1']);
    }
  });

  it('is the device where there is no account, and nobody where there is none either', () => {
    for (const session of ['s1', 's2', 's3', 's4', 's5']) {
      const { json, before } = claudeCode('d1', '', session);
      expect([ofMetadata(json), ofMetadata(before)]).toEqual(['d1', 'd1']);
    }
    expect(ofMetadata('{"session_id":"s1"}')).toBeNull();
    expect(ofMetadata('user__account__session_s1')).toBeNull();
  });

  it('is not read into what others send', () => {
    for (const text of ['{"id":1}', '{broken', 'user_1', 'user_1_account_2']) {
      expect(ofMetadata(text)).toBe(text);
    }
  });
});
