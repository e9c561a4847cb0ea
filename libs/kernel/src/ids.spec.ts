import fc from 'fast-check';
import { formatId, ID_ENTROPY_BYTES, idPrefixes, isId, timeOfId, type IdKind } from './ids';

const kinds = Object.keys(idPrefixes) as IdKind[];
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

const kind = fc.constantFrom(...kinds);
const timeMs = fc.nat({ max: 2 ** 48 - 1 });
const entropy = fc.uint8Array({ minLength: ID_ENTROPY_BYTES, maxLength: ID_ENTROPY_BYTES });
const suffix = (id: string) => id.slice(id.lastIndexOf('_') + 1);
const numberIn = (digits: string) =>
  Array.from(digits).reduce((value, digit) => value * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n);

describe('an id', () => {
  it('is its prefix, an underscore and 26 characters of Crockford base 32', () => {
    fc.assert(
      fc.property(kind, timeMs, entropy, (of, at, random) => {
        const id = formatId(of, at, random);
        expect(id).toMatch(new RegExp(`^${idPrefixes[of]}_[${CROCKFORD}]{26}$`));
        expect(isId(of, id)).toBe(true);
      }),
    );
  });

  it('keeps every bit of its time and of its randomness', () => {
    fc.assert(
      fc.property(timeMs, entropy, (at, random) => {
        const digits = suffix(formatId('request', at, random));
        expect(numberIn(digits.slice(0, 10))).toBe(BigInt(at));
        expect(numberIn(digits.slice(10))).toBe(BigInt(`0x${Buffer.from(random).toString('hex')}`));
      }),
    );
  });

  it('takes its randomness from where it is told', () => {
    fc.assert(
      fc.property(timeMs, fc.uint8Array({ maxLength: 20 }), entropy, (at, before, random) => {
        const pool = Uint8Array.from([...before, ...random]);
        expect(formatId('event', at, pool, before.length)).toBe(formatId('event', at, random));
      }),
    );
  });

  it('tells when it was made', () => {
    fc.assert(
      fc.property(kind, timeMs, entropy, (of, at, random) => {
        expect(timeOfId(formatId(of, at, random))).toBe(at);
      }),
    );
  });

  it('sorts by the time it was made', () => {
    fc.assert(
      fc.property(timeMs, timeMs, entropy, entropy, (a, b, first, second) => {
        fc.pre(a < b);
        expect(formatId('event', a, first) < formatId('event', b, second)).toBe(true);
      }),
    );
  });

  it('is no id of another kind', () => {
    fc.assert(
      fc.property(kind, kind, timeMs, entropy, (of, other, at, random) => {
        fc.pre(of !== other);
        expect(isId(other, formatId(of, at, random))).toBe(false);
      }),
    );
  });

  it.each([
    ['of another length', 'req_0123456789abcdefghjkmnpqr'],
    ['with a letter that Crockford leaves out', 'req_0123456789abcdefghjkmnpqri'.slice(0, 30)],
    ['in capitals', 'req_0123456789ABCDEFGHJKMNPQRS'],
    ['followed by a line break', 'req_0123456789abcdefghjkmnpqrs\n'],
  ])('is none %s', (_, text) => {
    expect(isId('request', text)).toBe(false);
  });

  it('names each kind by a prefix of its own', () => {
    expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
  });
});
