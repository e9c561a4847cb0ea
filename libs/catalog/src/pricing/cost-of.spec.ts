import { type TokenUsage } from '@svc/protocol';
import fc from 'fast-check';

import { costOf } from './cost-of';
import {
  dearestPrices,
  nanosPerToken,
  pricePerToken,
  ratesFor,
  type PricePerToken,
  type Prices,
} from './prices';

const femtos = (amount: bigint) => amount as PricePerToken;
const count = fc.nat({ max: 2_000_000 });
const arbitraryUsage: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
  reasoningTokens: count,
});
const femtoPrice = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(femtos);
const rates = { input: femtoPrice, output: femtoPrice, cachedInput: femtoPrice, cacheWrite: femtoPrice };
const arbitraryPrices: fc.Arbitrary<Prices> = fc.record(
  { ...rates, longPrompt: fc.record({ ...rates, aboveTokens: count }) },
  { requiredKeys: ['input', 'output', 'cachedInput', 'cacheWrite'] },
);
const usage = (counts: Partial<TokenUsage>): TokenUsage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  ...counts,
});
const flat = (nanosPerToken: number): Prices => {
  const price = pricePerToken(nanosPerToken)!;
  return { input: price, output: price, cachedInput: price, cacheWrite: price };
};

describe('costOf', () => {
  it('is the exact sum of tokens times price, rounded up to the next whole nano-dollar', () => {
    fc.assert(
      fc.property(arbitraryUsage, arbitraryPrices, (used, prices) => {
        const promptTokens = used.inputTokens + used.cachedInputTokens + used.cacheWriteTokens;
        const r = ratesFor(prices, promptTokens);
        const exactFemtos = [
          [used.inputTokens, r.input],
          [used.cachedInputTokens, r.cachedInput],
          [used.cacheWriteTokens, r.cacheWrite],
          [used.outputTokens, r.output],
        ].reduce((sum, [tokens, price]) => sum + BigInt(tokens!) * BigInt(price!), 0n);
        const costFemtos = costOf(used, prices) * 1_000_000n;
        expect(costFemtos).toBeGreaterThanOrEqual(exactFemtos);
        expect(costFemtos - exactFemtos).toBeLessThan(1_000_000n);
      }),
    );
  });

  it.each([0, 1, 333, 9_001, 10_000, 11_550, 100_000])(
    'is %d basis points of the exact sum, rounded up once',
    (bps) => {
      fc.assert(
        fc.property(arbitraryUsage, arbitraryPrices, (used, prices) => {
          const r = ratesFor(prices, used.inputTokens + used.cachedInputTokens + used.cacheWriteTokens);
          const exact =
            (BigInt(used.inputTokens) * r.input +
              BigInt(used.cachedInputTokens) * r.cachedInput +
              BigInt(used.cacheWriteTokens) * r.cacheWrite +
              BigInt(used.outputTokens) * r.output) *
            BigInt(bps);
          const whole = exact / 10n ** 10n;
          expect(costOf(used, prices, bps)).toBe(exact % 10n ** 10n === 0n ? whole : whole + 1n);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it('rounds once per call, not once per kind of token', () => {
    const used = usage({ inputTokens: 1, cachedInputTokens: 1, cacheWriteTokens: 1, outputTokens: 1 });
    expect(costOf(used, flat(37.5))).toBe(150n);
    expect(costOf(used, flat(0.1))).toBe(1n);
  });

  it('charges reasoning as part of the output', () => {
    expect(costOf(usage({ outputTokens: 10, reasoningTokens: 8 }), flat(2))).toBe(20n);
  });

  it('is 0 without usage', () => {
    expect(costOf(usage({}), flat(5))).toBe(0n);
  });

  it('charges the whole call at the long rates once the prompt, cached tokens included, is longer', () => {
    const prices: Prices = { ...flat(1), longPrompt: { ...flat(3), aboveTokens: 100 } };
    expect(costOf(usage({ inputTokens: 60, cachedInputTokens: 40, outputTokens: 10 }), prices)).toBe(110n);
    expect(costOf(usage({ inputTokens: 60, cachedInputTokens: 41, outputTokens: 10 }), prices)).toBe(333n);
  });
});

describe('pricePerToken', () => {
  it('converts any decimal of up to six places exactly in both directions', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), fc.nat({ max: 999_999 }), (whole, millionths) => {
        const written = `${String(whole)}.${String(millionths).padStart(6, '0')}`;
        const price = pricePerToken(Number(written));
        expect(price).toBe(BigInt(whole) * 1_000_000n + BigInt(millionths));
        expect(nanosPerToken(price!)).toBe(Number(written));
      }),
    );
  });

  it('shows any basis points of a price as its exact decimal', () => {
    expect(nanosPerToken(pricePerToken(150)!, 11_550)).toBe(173.25);
    expect(nanosPerToken(pricePerToken(37.5)!, 9_001)).toBe(33.75375);
    expect(nanosPerToken(pricePerToken(0.000001)!, 1)).toBe(1e-10);
    expect(nanosPerToken(pricePerToken(150)!, 0)).toBe(0);
  });

  it.each([-1, -0.5, NaN, Infinity, 1.0000001, 1e-7, 1e21])('refuses %d', (price) => {
    expect(pricePerToken(price)).toBeNull();
  });
});

describe('dearestPrices', () => {
  it('make no call cheaper than any of them', () => {
    fc.assert(
      fc.property(
        arbitraryUsage,
        arbitraryPrices,
        fc.array(arbitraryPrices, { maxLength: 2 }),
        (used, one, others) => {
          const dearest = costOf(used, dearestPrices([one, ...others]));
          for (const prices of [one, ...others]) expect(dearest >= costOf(used, prices)).toBe(true);
        },
      ),
    );
  });
});
