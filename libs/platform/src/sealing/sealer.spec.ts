import { randomBytes } from 'node:crypto';
import { createSealer } from './sealer';

const key = Buffer.alloc(32, 7);
const plain = Buffer.from('sk-provider-secret');

describe('createSealer', () => {
  it('opens what it sealed, an empty value too', () => {
    const sealer = createSealer(key);
    for (const value of [plain, Buffer.alloc(0), randomBytes(100_000)]) {
      expect(sealer.open(sealer.seal(value, 'cred_1'), 'cred_1')).toEqual(value);
    }
  });

  it('shows nothing of the value, and never the same bytes twice', () => {
    const sealer = createSealer(key);
    const [one, other] = [sealer.seal(plain, 'cred_1'), sealer.seal(plain, 'cred_1')];
    expect(one.includes(plain)).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('does not open with another key, or in another context', () => {
    const sealed = createSealer(key).seal(plain, 'cred_1');
    expect(() => createSealer(Buffer.alloc(32, 8)).open(sealed, 'cred_1')).toThrow('does not open');
    expect(() => createSealer(key).open(sealed, 'cred_2')).toThrow('does not open');
  });

  it('does not open when any byte was altered, or the end cut off', () => {
    const sealer = createSealer(key);
    const sealed = sealer.seal(plain, 'cred_1');
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => sealer.open(altered, 'cred_1')).toThrow('does not open');
      expect(() => sealer.open(sealed.subarray(0, at), 'cred_1')).toThrow('does not open');
    }
  });

  it('takes a key of 32 bytes only', () => {
    expect(() => createSealer(Buffer.alloc(31))).toThrow('32 bytes');
    expect(() => createSealer([key, Buffer.alloc(31)])).toThrow('32 bytes');
  });
});

describe('createSealer, with one key that takes the place of another', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const onlyBefore = createSealer(before);
  const onlyAfter = createSealer(after);

  it.each([
    ['in the first half of the change', createSealer([before, after]), onlyBefore],
    ['in the second half of the change', createSealer([after, before]), onlyAfter],
  ])('%s opens what either sealed, and seals with the first', (_, both, first) => {
    for (const sealer of [onlyBefore, onlyAfter, both]) {
      expect(both.open(sealer.seal(plain, 'cred_1'), 'cred_1')).toEqual(plain);
    }
    expect(first.open(both.seal(plain, 'cred_1'), 'cred_1')).toEqual(plain);
  });

  it('seals again what another key sealed, once, in its own context', () => {
    const both = createSealer([after, before]);
    const again = both.reseal(onlyBefore.seal(plain, 'cred_1'), 'cred_1');
    expect(onlyAfter.open(again!, 'cred_1')).toEqual(plain);
    expect(both.reseal(again!, 'cred_1')).toBeNull();
    expect(() => both.reseal(again!, 'cred_2')).toThrow('does not open');
  });

  it('opens nothing of a third key', () => {
    const sealed = createSealer(key).seal(plain, 'cred_1');
    expect(() => createSealer([after, before]).open(sealed, 'cred_1')).toThrow('does not open');
    expect(() => createSealer([after, before]).reseal(sealed, 'cred_1')).toThrow('does not open');
  });
});
