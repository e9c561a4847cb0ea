import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { isJsonInteger, jsonInteger, parseExactJson } from './exact-json';

const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

describe('an integer in JSON', () => {
  it('is written with all its digits at any size, sorted or not', () => {
    fc.assert(
      fc.property(integer, (value) => {
        const written = jsonInteger(value);
        expect(isJsonInteger(written)).toBe(true);
        expect(JSON.stringify({ nested: [written] })).toBe(`{"nested":[${String(value)}]}`);
        expect(canonicalJson({ nested: [written] })).toBe(`{"nested":[${String(value)}]}`);
      }),
    );
  });

  it('is read and written again without loss', () => {
    fc.assert(
      fc.property(integer, (value) => {
        const text = `{"nested":[${String(value)}]}`;
        expect(JSON.stringify(parseExactJson(text))).toBe(text);
      }),
    );
  });

  it('is a number where a number is exact', () => {
    expect(jsonInteger(BigInt(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
    expect(jsonInteger(BigInt(Number.MAX_SAFE_INTEGER) + 1n)).not.toEqual(expect.any(Number));
  });

  it.each([1.5, 2 ** 53, '1', null, {}, { rawJSON: '1' }])('is not %j', (value) => {
    expect(isJsonInteger(value)).toBe(false);
  });
});

it('values other than large integers are read as JSON.parse reads them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  expect(parseExactJson('[1e400, -0, 1.5]')).toEqual([Infinity, -0, 1.5]);
});
