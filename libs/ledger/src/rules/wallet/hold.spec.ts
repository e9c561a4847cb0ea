import { costOf, type PricePerToken, type Prices } from '@svc/catalog';
import { nanos } from '@svc/kernel';
import fc from 'fast-check';
import { holdFor, outputLimitCoveredBy, promptTokenBound, reservedCharge, type HoldFacts } from './hold';

const price = fc.bigInt({ min: 0n, max: 10n ** 11n }).map((femtos) => femtos as PricePerToken);
const rates = { input: price, output: price, cachedInput: price, cacheWrite: price };
const arbitraryPrices: fc.Arbitrary<Prices> = fc.record(
  { ...rates, longPrompt: fc.record({ ...rates, aboveTokens: fc.nat({ max: 200_000 }) }) },
  { requiredKeys: ['input', 'output', 'cachedInput', 'cacheWrite'] },
);
const arbitraryFacts: fc.Arbitrary<HoldFacts> = fc.record({
  promptTokensMax: fc.nat({ max: 300_000 }),
  outputTokensAsked: fc.option(fc.integer({ min: 0, max: 200_000 })),
  modelMaxOutputTokens: fc.integer({ min: 1, max: 130_000 }),
  choices: fc.integer({ min: 1, max: 8 }),
  prices: fc.array(arbitraryPrices, { minLength: 1, maxLength: 4 }),
});

const flat = (nanosPerToken: bigint): Prices => {
  const femtos = (nanosPerToken * 1_000_000n) as PricePerToken;
  return { input: femtos, output: femtos, cachedInput: femtos, cacheWrite: femtos };
};
const facts: HoldFacts = {
  promptTokensMax: 1000,
  outputTokensAsked: null,
  modelMaxOutputTokens: 8192,
  choices: 1,
  prices: [flat(1n)],
};

/** The most expensive call within the facts and this output limit per choice. */
function mostExpensiveCall(within: HoldFacts, outputTokensPerChoice: number, split: number): bigint {
  const cached = Math.floor(within.promptTokensMax * split);
  const mixes = [
    [within.promptTokensMax, 0, 0],
    [0, within.promptTokensMax, 0],
    [0, 0, within.promptTokensMax],
    [within.promptTokensMax - cached, cached, 0],
    [Math.min(within.promptTokensMax, 1), 0, cached],
  ];
  const costs = mixes.flatMap(([input, cachedInput, cacheWrite]) =>
    within.prices.map((prices) =>
      costOf(
        {
          inputTokens: input!,
          cachedInputTokens: Math.min(cachedInput!, within.promptTokensMax),
          cacheWriteTokens: Math.min(cacheWrite!, within.promptTokensMax - input!),
          outputTokens: outputTokensPerChoice * within.choices,
          reasoningTokens: 0,
        },
        prices,
      ),
    ),
  );
  return costs.reduce((a, b) => (a > b ? a : b));
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('holdFor', () => {
  it('covers the cost of the call at any endpoint of the plan', () => {
    fc.assert(
      fc.property(arbitraryFacts, unit, unit, (within, split, share) => {
        const most = Math.min(
          within.outputTokensAsked ?? within.modelMaxOutputTokens,
          within.modelMaxOutputTokens,
        );
        const cost = mostExpensiveCall(within, Math.floor(most * share), split);
        expect(cost).toBeLessThanOrEqual(holdFor(within).holdMax);
      }),
    );
  });

  it('is one amount when the client set a limit', () => {
    const { holdMin, holdMax } = holdFor({ ...facts, outputTokensAsked: 100 });
    expect([holdMin, holdMax]).toEqual([1100n, 1100n]);
  });

  it('caps the limit at the model’s', () => {
    expect(holdFor({ ...facts, outputTokensAsked: 1_000_000 }).holdMax).toBe(1000n + 8192n);
  });

  it('goes down to 4096 tokens, or to the model’s limit, when the client set none', () => {
    expect(holdFor(facts)).toEqual({ holdMin: 1000n + 4096n, holdMax: 1000n + 8192n });
    expect(holdFor({ ...facts, modelMaxOutputTokens: 500 })).toEqual({ holdMin: 1500n, holdMax: 1500n });
  });

  it('counts the output once per choice and the prompt once', () => {
    expect(holdFor({ ...facts, outputTokensAsked: 100, choices: 3 }).holdMax).toBe(1300n);
  });

  it('covers the most expensive endpoint of the plan', () => {
    expect(holdFor({ ...facts, outputTokensAsked: 100, prices: [flat(1n), flat(7n)] }).holdMax).toBe(7700n);
  });
});

describe('a hold of two parts', () => {
  const own = { ...flat(2n), walletBps: 0, isOwn: true };
  const dear = { ...flat(3n), walletBps: 11_550 };
  const asked = { ...facts, outputTokensAsked: 100 };

  it('takes the dearest attempt for the wallet, and the dearest for budgets', () => {
    expect(holdFor({ ...asked, prices: [own] })).toEqual({
      ...{ holdMin: 0n, holdMax: 0n },
      ...{ budgetMin: 2_200n, budgetMax: 2_200n },
    });
    expect(holdFor({ ...asked, prices: [own, flat(1n)] })).toMatchObject({
      holdMax: 1_100n,
      budgetMax: 2_200n,
    });
    expect(holdFor({ ...asked, prices: [{ ...own, walletBps: 500 }, flat(1n)] })).toMatchObject({
      holdMax: 1_100n,
      budgetMax: 2_310n,
    });
  });

  it('is one number where budgets count what the wallet pays', () => {
    for (const prices of [[dear], [dear, flat(1n)], [own, dear], [{ ...flat(0n), isOwn: true }]]) {
      expect(holdFor({ ...asked, prices })).not.toHaveProperty('budgetMax');
    }
  });

  const arbitraryParts = fc.record({
    bps: fc.constantFrom(0, 1, 333, 9_001, 10_000, 11_550),
    isOwn: fc.boolean(),
  });
  it('covers both costs of the call at any attempt, within the limit that is told', () => {
    fc.assert(
      fc.property(
        arbitraryFacts,
        fc.array(arbitraryParts, { minLength: 4, maxLength: 4 }),
        fc.nat({ max: 1000 }),
        fc.nat({ max: 1000 }),
        (within, parts, walletShare, budgetShare) => {
          const prices = within.prices.map((each, at) => ({
            ...each,
            walletBps: parts[at]!.bps,
            isOwn: parts[at]!.isOwn,
          }));
          const priced = { ...within, prices };
          const { holdMin, holdMax, budgetMin = holdMin, budgetMax } = holdFor(priced);
          const between = (least: bigint, most: bigint, share: number) =>
            nanos(least + ((most - least) * BigInt(share)) / 1000n);
          const budgetHeld =
            budgetMax === undefined
              ? between(holdMin, holdMax, walletShare)
              : between(budgetMin, budgetMax, budgetShare);
          const walletHeld = budgetMax === undefined ? budgetHeld : between(holdMin, holdMax, walletShare);
          const held = walletHeld < budgetHeld ? walletHeld : budgetHeld;
          const told = outputLimitCoveredBy(held, priced, budgetHeld);
          const limit =
            told ?? Math.max(1, Math.min(within.outputTokensAsked ?? Infinity, within.modelMaxOutputTokens));
          for (const each of prices) {
            const { walletBps, isOwn } = each;
            const used = {
              ...{ inputTokens: within.promptTokensMax, cachedInputTokens: 0, cacheWriteTokens: 0 },
              ...{ outputTokens: limit * within.choices, reasoningTokens: 0 },
            };
            const charge = costOf(used, each, walletBps);
            const both = charge + (isOwn ? costOf(used, each) : 0n);
            expect(charge <= held).toBe(true);
            expect(both <= budgetHeld).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('outputLimitCoveredBy', () => {
  const withShareHeld = fc
    .tuple(arbitraryFacts, fc.bigInt({ min: 0n, max: 1000n }))
    .map(([within, permille]) => {
      const { holdMin, holdMax } = holdFor(within);
      return { within, held: nanos(holdMin + ((holdMax - holdMin) * permille) / 1000n) };
    });

  it('is a limit that the hold pays for, whatever usage the provider reports within it', () => {
    fc.assert(
      fc.property(withShareHeld, unit, ({ within, held }, split) => {
        const limit = outputLimitCoveredBy(held, within);
        fc.pre(limit !== null);
        expect(mostExpensiveCall(within, limit, split)).toBeLessThanOrEqual(held);
      }),
    );
  });

  it('never leaves a limit above what the hold pays for, nor above the model’s own', () => {
    fc.assert(
      fc.property(withShareHeld, unit, ({ within, held }, split) => {
        const told = outputLimitCoveredBy(held, within) ?? within.outputTokensAsked;
        // A provider without a limit stops at the model's own.
        expect(told ?? 0).toBeLessThanOrEqual(within.modelMaxOutputTokens);
        // Providers of chat completions take no limit below 1.
        const generated = Math.max(1, told ?? within.modelMaxOutputTokens);
        expect(mostExpensiveCall(within, generated, split)).toBeLessThanOrEqual(held);
      }),
    );
  });

  it('is the model’s own limit where the client set a higher one', () => {
    const asked = { ...facts, outputTokensAsked: 10_000, modelMaxOutputTokens: 4_096 };
    expect(outputLimitCoveredBy(holdFor(asked).holdMax, asked)).toBe(4_096);
    const free = { ...asked, prices: [flat(0n)] };
    expect(outputLimitCoveredBy(holdFor(free).holdMax, free)).toBe(4_096);
  });

  it('is the largest that the hold pays for where the call could produce more', () => {
    fc.assert(
      fc.property(withShareHeld, ({ within, held }) => {
        const limit = outputLimitCoveredBy(held, within);
        fc.pre(limit !== null && limit < within.modelMaxOutputTokens);
        expect(holdFor({ ...within, outputTokensAsked: limit + 1 }).holdMax).toBeGreaterThan(held);
      }),
    );
  });

  it('is never below the limit of the smallest hold', () => {
    fc.assert(
      fc.property(arbitraryFacts, (within) => {
        const limit = outputLimitCoveredBy(holdFor(within).holdMin, within);
        if (limit !== null) expect(limit).toBeGreaterThanOrEqual(Math.min(4096, within.modelMaxOutputTokens));
      }),
    );
  });

  it('is null when the hold covers all that the call can produce', () => {
    expect(outputLimitCoveredBy(holdFor(facts).holdMax, facts)).toBeNull();
  });

  it('is the number of tokens left after the prompt, per choice', () => {
    expect(outputLimitCoveredBy(nanos(1000 + 5001), { ...facts, choices: 2 })).toBe(2500);
  });

  it('is never below zero, even where the hold does not cover the prompt', () => {
    expect(outputLimitCoveredBy(nanos(1), facts)).toBe(0);
  });
});

describe('promptTokenBound', () => {
  it('is the call’s own bound, up to the context window', () => {
    expect([promptTokenBound(500, 1000), promptTokenBound(5000, 1000)]).toEqual([500, 1000]);
  });

  it('is the context window for a call without a bound', () => {
    expect(promptTokenBound(null, 1000)).toBe(1000);
  });
});

describe('reservedCharge', () => {
  it('charges the cost, and never more than the hold', () => {
    expect(reservedCharge(nanos(5), nanos(9))).toEqual({ charge: 5n, overrun: 0n });
    expect(reservedCharge(nanos(9), nanos(5))).toEqual({ charge: 5n, overrun: 4n });
  });
});
