import { type TokenUsage } from '@svc/protocol';
import fc from 'fast-check';

import { costOf } from './cost-of';
import { explainCost, storedRates } from './explain-cost';
import { pricePerToken, type PricePerToken, type Prices } from './prices';

const count = fc.nat({ max: 2_000_000 });
const arbitraryUsage: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
  reasoningTokens: count,
});
const price = fc.bigInt({ min: 0n, max: 10n ** 21n }).map((femtos) => femtos as PricePerToken);
const rates = { input: price, output: price, cachedInput: price, cacheWrite: price };
const arbitraryPrices: fc.Arbitrary<Prices> = fc.record(
  { ...rates, longPrompt: fc.record({ ...rates, aboveTokens: count }) },
  { requiredKeys: ['input', 'output', 'cachedInput', 'cacheWrite'] },
);

/** A decimal of nano-dollars, in femto-dollars. */
function femtosOf(decimal: string): bigint {
  const [whole, fraction = ''] = decimal.split('.');
  return BigInt(whole! + fraction.padEnd(6, '0'));
}
const explained = (usage: TokenUsage, prices: Prices) => explainCost(usage, storedRates(usage, prices));

describe('explainCost', () => {
  it('has lines whose exact amounts and rounding add up to the cost of the call', () => {
    fc.assert(
      fc.property(arbitraryUsage, arbitraryPrices, (usage, prices) => {
        const { lines, rounding, total } = explained(usage, prices);
        expect(total).toBe(costOf(usage, prices));
        const exact = lines.reduce((sum, { amount }) => sum + femtosOf(amount), 0n);
        expect(exact + femtosOf(rounding)).toBe(total * 1_000_000n);
        expect(femtosOf(rounding)).toBeLessThan(1_000_000n);
        for (const line of lines) {
          expect(femtosOf(line.price) * BigInt(line.tokens)).toBe(femtosOf(line.amount));
        }
      }),
    );
  });

  it('has lines of which basis points and rounding add up to the cost of the call', () => {
    /** A decimal of nano-dollars, in basis points of a femto-dollar. */
    const exactOf = (decimal: string): bigint => {
      const [whole, fraction = ''] = decimal.split('.');
      return BigInt(whole! + fraction.padEnd(10, '0'));
    };
    fc.assert(
      fc.property(arbitraryUsage, arbitraryPrices, fc.nat({ max: 100_000 }), (usage, prices, bps) => {
        const { lines, rounding, total } = explainCost(usage, storedRates(usage, prices), bps);
        expect(total).toBe(costOf(usage, prices, bps));
        const exact = lines.reduce((sum, { amount }) => sum + femtosOf(amount), 0n) * BigInt(bps);
        expect(exact + exactOf(rounding)).toBe(total * 10n ** 10n);
      }),
    );
  });

  it('has a line for each kind of token that was used, at the price that applied', () => {
    const flat = (nanos: number) => {
      const each = pricePerToken(nanos)!;
      return { input: each, cachedInput: pricePerToken(37.5)!, cacheWrite: each, output: each };
    };
    const prices = { ...flat(150), longPrompt: { ...flat(300), aboveTokens: 100 } };
    const usage = {
      inputTokens: 90,
      cachedInputTokens: 9,
      cacheWriteTokens: 0,
      outputTokens: 2,
      reasoningTokens: 1,
    };
    expect(explained(usage, prices)).toEqual({
      lines: [
        { kind: 'input', tokens: 90, price: '150', amount: '13500' },
        { kind: 'cached_input', tokens: 9, price: '37.5', amount: '337.5' },
        { kind: 'output', tokens: 2, price: '150', amount: '300' },
      ],
      rounding: '0.5',
      total: 14_138n,
    });
    expect(explained({ ...usage, cacheWriteTokens: 2 }, prices).lines[0]).toMatchObject({ price: '300' });
  });

  it('has no line where nothing was used', () => {
    const none = {
      inputTokens: 0,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    };
    const free = { input: '0', cachedInput: '0', cacheWrite: '0', output: '0' };
    expect(explainCost(none, free)).toEqual({ lines: [], rounding: '0', total: 0n });
  });
});
