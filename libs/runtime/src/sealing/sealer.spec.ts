import { hkdfSync, createDecipheriv, randomBytes } from 'node:crypto';
import { createSealer } from './sealer';

const key = Buffer.alloc(32, 7);
const plain = Buffer.from('sk-provider-secret');

describe('createSealer', () => {
  it('opens sealed values, also empty ones', () => {
    const sealer = createSealer(key);
    for (const value of [plain, Buffer.alloc(0), randomBytes(100_000)]) {
      expect(sealer.open(sealer.seal(value, 'cred_1'), 'cred_1')).toEqual(value);
    }
  });

  it('reveals nothing of the value, and never makes the same bytes twice', () => {
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

  it('seals each value with a separate key, derived by HKDF-SHA256 from 256 random bits', () => {
    const sealed = createSealer(key).seal(plain, 'cred_1');
    const [version, salt, tag] = [sealed.subarray(0, 1), sealed.subarray(1, 33), sealed.subarray(33, 49)];
    expect([...version]).toEqual([2]);
    // An independent implementation from the description alone.
    const derived = Buffer.from(hkdfSync('sha256', key, salt, 'svc sealed value 2', 44));
    const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32));
    decipher.setAAD(Buffer.concat([version, Buffer.from('cred_1')])).setAuthTag(tag);
    expect(Buffer.concat([decipher.update(sealed.subarray(49)), decipher.final()])).toEqual(plain);
  });

  it('never repeats a salt', () => {
    const sealer = createSealer(key);
    const salts = Array.from({ length: 10_000 }, () =>
      sealer.seal(plain, 'cred_1').subarray(1, 33).toString('base64'),
    );
    expect(new Set(salts).size).toBe(10_000);
  });

  it('accepts only keys of 32 bytes', () => {
    expect(() => createSealer(Buffer.alloc(31))).toThrow('32 bytes');
    expect(() => createSealer([key, Buffer.alloc(31)])).toThrow('32 bytes');
  });
});

describe('createSealer during a rotation of keys', () => {
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

  it('reseals a value of another key once, in its own context', () => {
    const both = createSealer([after, before]);
    const again = both.reseal(onlyBefore.seal(plain, 'cred_1'), 'cred_1');
    expect(onlyAfter.open(again!, 'cred_1')).toEqual(plain);
    expect(both.reseal(again!, 'cred_1')).toBeNull();
    expect(() => both.reseal(again!, 'cred_2')).toThrow('does not open');
  });

  it('does not open values of a third key', () => {
    const sealed = createSealer(key).seal(plain, 'cred_1');
    expect(() => createSealer([after, before]).open(sealed, 'cred_1')).toThrow('does not open');
    expect(() => createSealer([after, before]).reseal(sealed, 'cred_1')).toThrow('does not open');
  });
});

describe('a value that the previous release sealed', () => {
  /** Sealed by release 0.1.0 with the key above in the context cred_1. */
  const stored = Buffer.from('AXjhmvg/ToVcibFLPYcJzN8t4h6+5NGjPc7DL3wtap+/ab1Roiq0tcYI2MkT89w=', 'base64');

  it('opens', () => {
    expect(createSealer(key).open(stored, 'cred_1')).toEqual(plain);
    expect(() => createSealer(key).open(stored, 'cred_2')).toThrow('does not open');
    expect(() => createSealer(Buffer.alloc(32, 8)).open(stored, 'cred_1')).toThrow('does not open');
  });

  it('is resealed with a separate key, once', () => {
    const sealer = createSealer(key);
    const again = sealer.reseal(stored, 'cred_1');
    expect(again![0]).toBe(2);
    expect(sealer.open(again!, 'cred_1')).toEqual(plain);
    expect(sealer.reseal(again!, 'cred_1')).toBeNull();
    const both = createSealer([Buffer.alloc(32, 8), key]);
    expect(createSealer(Buffer.alloc(32, 8)).open(both.reseal(stored, 'cred_1')!, 'cred_1')).toEqual(plain);
  });

  it('is not accepted with the version of this release, nor the reverse', () => {
    const sealer = createSealer(key);
    for (const sealed of [stored, sealer.seal(plain, 'cred_1')]) {
      for (const version of [0, 1, 2, 3].filter((each) => each !== sealed[0])) {
        const disguised = Buffer.concat([Buffer.of(version), sealed.subarray(1)]);
        expect(() => sealer.open(disguised, 'cred_1')).toThrow('does not open');
      }
    }
  });

  it('has the format that rarely sealed values still have, which that release opens', () => {
    const sealed = createSealer(key).sealAsBefore(plain, 'cred_1');
    expect([sealed[0], sealed.length]).toEqual([1, stored.length]);
    expect(createSealer(key).open(sealed, 'cred_1')).toEqual(plain);
  });
});
