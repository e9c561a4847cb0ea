import { encodeUtf8 } from '../json/byte-text';
import { GROWTH_MAX, growthOf } from '../testing/growth-of';
import { callFingerprint } from './call-fingerprint';

const fingerprint = (json: Uint8Array): string => callFingerprint('messages', json).toString('hex');

const nowMs = () => performance.now();

describe('the fingerprint of a call', () => {
  it('takes a time that grows with the levels and with the escapes of a body, not with their square', () => {
    const deep = (depth: number, inner: string) =>
      encodeUtf8('[{"b":0,"a":'.repeat(depth) + inner + '}]'.repeat(depth));
    const levels = (depth: number) => {
      const [one, other] = [deep(depth, '1'), deep(depth, '2')];
      return () => expect(fingerprint(one)).not.toBe(fingerprint(other));
    };
    const escapes = (length: number) => {
      const text = encodeUtf8(JSON.stringify('\n'.repeat(length)));
      return () => expect(fingerprint(text)).toHaveLength(64);
    };
    expect(growthOf(12_500, levels, nowMs)).toBeLessThan(GROWTH_MAX);
    expect(growthOf(300_000, escapes, nowMs)).toBeLessThan(GROWTH_MAX);
  });
});
