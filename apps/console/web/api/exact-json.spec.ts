import fc from 'fast-check';
import { parseExact, stringifyExact } from './exact-json';

describe('JSON with amounts', () => {
  it('goes to text and back without loss, beyond 2⁵³ too', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer(), (nanos, count) => {
        const value = { wallet: [{ balance_nanos: nanos }], count };
        expect(parseExact(stringifyExact(value))).toEqual(value);
      }),
    );
  });

  it('leaves other numbers, texts and null as they are', () => {
    const text = '{"limit":3,"spent_nanos":null,"input_nanos":"37.5","share":0.5}';
    expect(parseExact(text)).toEqual({ limit: 3, spent_nanos: null, input_nanos: '37.5', share: 0.5 });
  });

  it('refuses an amount that is no whole number', () => {
    expect(() => parseExact('{"amount_nanos":1.5}')).toThrow(SyntaxError);
  });
});
