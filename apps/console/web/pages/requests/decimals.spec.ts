import fc from 'fast-check';
import { exactDollars, sumOf } from './decimals';

/** A decimal text with up to four places, and its ten-thousandths. */
const decimal = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((tenThousandths) => {
  const digits = tenThousandths.toString().padStart(5, '0');
  return { tenThousandths, text: `${digits.slice(0, -4)}.${digits.slice(-4)}` };
});

describe('amounts as decimal text', () => {
  it('add up without loss', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 6 }), (parts) => {
        const sum = sumOf(parts.map(({ text }) => text));
        const [whole = '', fraction = ''] = sum.split('.');
        const expected = parts.reduce((total, { tenThousandths }) => total + tenThousandths, 0n);
        expect(BigInt(whole + fraction.padEnd(4, '0'))).toBe(expected);
      }),
    );
  });

  it.each([
    ['0', '$0.000000000'],
    ['15750.5', '$0.0000157505'],
    ['1000000000', '$1.000000000'],
    ['1234567890123456789', '$1,234,567,890.123456789'],
    ['0.25', '$0.00000000025'],
  ])('%s nanos are %s', (nanos, dollars) => {
    expect(exactDollars(nanos)).toBe(dollars);
  });
});
