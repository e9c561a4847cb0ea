import { encodeUtf8 } from '../json/byte-text';
import { growthOf } from '../testing/growth-of';
import { callFingerprint } from './call-fingerprint';

const fingerprint = (json: Uint8Array): string => callFingerprint('messages', json).toString('hex');

const nowMs = () => performance.now();

describe('the fingerprint of a call', () => {
  it('is fast for 400 000 levels and for a long text with escapes', () => {
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
    // In proportion to the size: four times as long. Where each level reads all below it, sixteen times.
    expect(growthOf(50_000, levels, nowMs)).toBeLessThan(8);
    expect(growthOf(1_250_000, escapes, nowMs)).toBeLessThan(8);
  });
});
