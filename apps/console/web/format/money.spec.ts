import fc from 'fast-check';
import {
  formatExactMoney,
  formatMoney,
  formatMoneyInFull,
  parseMoney,
  plainDollars,
  spentShare,
} from './money';
import { pricePerMillion } from './price';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe('an amount', () => {
  it.each([
    [0n, '$0.00'],
    [99_999n, '< $0.0001'],
    [100_000n, '$0.0001'],
    [123_456n, '$0.0001'],
    [150_000n, '$0.0002'],
    [999_949_999n, '$0.9999'],
    [999_950_000n, '$1.00'],
    [1_005_000_000n, '$1.01'],
    [1_234_567_890_000_000_000n, '$1,234,567,890.00'],
    [-4_200_000n, '\u2212$0.0042'],
  ])('of %d nanos is shown as %s', (nanos, text) => {
    expect(formatMoney(nanos)).toBe(text);
  });

  it('is shown with all its decimals and its nanos in details', () => {
    expect(formatMoneyInFull(123_456n)).toBe('$0.000123456 · 123,456 nanos');
  });

  it('goes to text and back without loss, 10⁵ times', () => {
    fc.assert(
      // Compared here: 10⁵ calls of expect take a minute.
      fc.property(amount, (nanos) =>
        [plainDollars(nanos), formatExactMoney(nanos)].every((text) => {
          const parsed = parseMoney(text);
          return 'amount' in parsed && parsed.amount === nanos;
        }),
      ),
      { numRuns: 100_000 },
    );
  });
});

describe('a typed amount', () => {
  it.each([
    ['10.000000001', 10_000_000_001n],
    ['$1,250.5', 1_250_500_000_000n],
    ['.5', 500_000_000n],
    [' 3. ', 3_000_000_000n],
    ['1.0000000000', 1_000_000_000n],
  ])('%s is read to the nano', (typed, nanos) => {
    expect(parseMoney(typed)).toEqual({ amount: nanos });
  });

  it.each([
    ['', 'empty'],
    ['.', 'notAnAmount'],
    ['-1', 'notAnAmount'],
    ['1e3', 'notAnAmount'],
    ['1,25', 'notAnAmount'],
    ['0.0000000001', 'tooManyDecimals'],
  ])('%j is refused', (typed, problem) => {
    expect(parseMoney(typed)).toEqual({ problem });
  });
});

describe('a price', () => {
  it.each([
    ['37.5', '$0.0375'],
    ['150', '$0.15'],
    ['0', '$0.00'],
    ['1000000', '$1,000.00'],
    ['0.001', '$0.000001'],
  ])('of %s nanos a token is %s a million tokens', (nanos, dollars) => {
    expect(pricePerMillion(nanos)).toBe(dollars);
  });

  it('keeps every digit of its decimal text, 10⁵ times', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})\.\d{0,15}[1-9]$/);
    fc.assert(
      fc.property(digits, (nanos) => {
        const [whole = '', fraction = ''] = (pricePerMillion(nanos) ?? '').replace(/[$,]/g, '').split('.');
        const decimals = fraction.padEnd(3, '0');
        const back = `${BigInt(whole + decimals.slice(0, 3)).toString()}.${decimals.slice(3)}`;
        return back === nanos;
      }),
      { numRuns: 100_000 },
    );
  });

  it('that is no decimal number has no text', () => {
    expect(pricePerMillion('1e3')).toBeNull();
  });
});

describe('how much is spent', () => {
  it('is a share, and all of an amount of nothing', () => {
    expect(spentShare(8_250_000_000n, 10_000_000_000n)).toBe(0.825);
    expect(spentShare(0n, 0n)).toBe(1);
  });
});
