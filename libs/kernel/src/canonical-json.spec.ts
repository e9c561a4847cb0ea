import fc from 'fast-check';
import { canonicalJson, type JsonValue } from './canonical-json';

const json = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>;

/** The same value with the members of every object in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed);
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

describe('canonical JSON', () => {
  it('parses to the original value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is the same text whatever the order of the keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('37: sorts keys at every depth and writes no white space', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: { f: 'x y', e: true } })).toBe(
      '{"a":{"e":true,"f":"x y"},"b":[{"c":null,"d":1}]}',
    );
  });

  it('37, 38: sorts by code point, also where UTF-16 would not', () => {
    const keys = ['\u{1f600}', '\uffff', '\ue000', '\ud7ff', 'é', 'z', 'Z', '10', '9', ''];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text) as object).filter((key) => !/^\d/.test(key))).toEqual([
      '',
      'Z',
      'z',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{1f600}',
    ]);
    expect(text.indexOf('"10"')).toBeLessThan(text.indexOf('"9"'));
  });

  it('37: sorts every pair of keys by code point', () => {
    const points = (text: string) =>
      Array.from(text, (c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, '0'));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        fc.pre(a !== b);
        const [first, second] = points(a).join() < points(b).join() ? [a, b] : [b, a];
        expect(canonicalJson({ [b]: 0, [a]: 0 })).toBe(
          `{${JSON.stringify(first)}:0,${JSON.stringify(second)}:0}`,
        );
      }),
    );
  });

  it('38: has every possible key exactly once', () => {
    const text = '{"":0,"10":1,"9":2,"__proto__":{"admin":true},"constructor":3}';
    const entered = JSON.parse(
      '{"constructor":3,"__proto__":{"admin":true},"9":0,"10":1,"":0,"9":2}',
    ) as JsonValue;
    expect(canonicalJson(entered)).toBe(text);
  });

  it('39: has one spelling of each number', () => {
    const numbers = JSON.parse('[1.0, 1e0, -0, 1e21, 0.0000001, 9007199254740993]') as JsonValue;
    expect(canonicalJson(numbers)).toBe('[1,1,0,1e+21,1e-7,9007199254740992]');
  });

  it('39, 40: writes characters unescaped and integers in full', () => {
    expect(canonicalJson({ text: 'naïve 😀', nanos: 9_007_199_254_740_991 })).toBe(
      '{"nanos":9007199254740991,"text":"naïve 😀"}',
    );
  });

  it('works at any depth', () => {
    const levels = 100_000;
    const deep = (inner: string): string => '[{"a":'.repeat(levels) + inner + '}]'.repeat(levels);
    for (const inner of ['1', '[]', '{}']) {
      expect(canonicalJson(JSON.parse(deep(inner)) as JsonValue) === deep(inner)).toBe(true);
    }
  });
});
