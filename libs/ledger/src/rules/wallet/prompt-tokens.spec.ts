import { costOf, type PricePerToken, promptWindow } from '@svc/catalog';
import { estimateTokens } from '@svc/limits';
import { parseCall } from '@svc/protocol';
import fc from 'fast-check';
import { holdFor, outputLimitCoveredBy, promptTokenBound } from './hold';

const embeds = (input: unknown) =>
  parseCall('embeddings', Buffer.from(JSON.stringify({ model: 'acme/embed', input })));
const MODEL = { contextWindow: 100, maxOutputTokens: 0 };
const price = (femtos: bigint) => femtos as PricePerToken;
const FREE = price(0n);

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
const tokens = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 150 });
const anyInput = fc.oneof(
  text,
  fc.array(text, { minLength: 1, maxLength: 5 }),
  tokens,
  fc.array(tokens, { minLength: 1, maxLength: 5 }),
);

/** The most tokens that a provider can count: a byte each, or the caller's own, but no more than a window an input. */
function worstTokens(input: unknown): number {
  const isOne = typeof input === 'string' || typeof (input as unknown[])[0] === 'number';
  const inputs = (isOne ? [input] : input) as readonly (string | readonly number[])[];
  const lengths = inputs.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : one.length));
  return lengths.reduce((sum, length) => sum + Math.min(length, MODEL.contextWindow), 0);
}

describe('the hold of an embeddings call', () => {
  const factsOf = (input: unknown, rates: { input: PricePerToken; output: PricePerToken }) => {
    const call = embeds(input);
    return {
      promptTokensMax: promptTokenBound(call.promptTokensMax, promptWindow(call, MODEL)),
      outputTokensAsked: call.maxOutputTokens,
      modelMaxOutputTokens: MODEL.maxOutputTokens,
      choices: call.choices,
      prices: [{ ...rates, cachedInput: rates.input, cacheWrite: rates.input }],
    };
  };

  it('covers the most that its inputs can cost, and nothing of an output', () => {
    fc.assert(
      fc.property(anyInput, fc.bigInt(0n, 10n ** 9n), fc.bigInt(0n, 10n ** 9n), (input, each, output) => {
        const facts = factsOf(input, { input: price(each), output: price(output) });
        const { holdMin, holdMax } = holdFor(facts);
        const usage = {
          inputTokens: worstTokens(input),
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 0,
          reasoningTokens: 0,
        };
        expect(holdMin).toBe(holdMax);
        expect(holdMax).toBeGreaterThanOrEqual(costOf(usage, facts.prices[0]!));
        expect(holdMax).toBe(costOf({ ...usage, inputTokens: facts.promptTokensMax }, facts.prices[0]!));
        expect(outputLimitCoveredBy(holdMax, facts)).toBeNull();
      }),
    );
  });

  it('is exact where the caller sends tokens', () => {
    const facts = factsOf([[1, 2], [3]], { input: price(20_000_000n), output: FREE });
    expect(holdFor(facts)).toEqual({ holdMin: 60n, holdMax: 60n });
  });

  it('is limited by one context window for each input', () => {
    const input = ['x'.repeat(500), 'y'.repeat(500)];
    expect(factsOf(input, { input: FREE, output: FREE }).promptTokensMax).toBe(200);
  });
});

describe('the token estimate of an embeddings call', () => {
  const estimateOf = (input: unknown) => {
    const call = embeds(input);
    return estimateTokens({
      ...call,
      promptWindow: promptWindow(call, MODEL),
      outputTokensAsked: call.maxOutputTokens,
      modelMaxOutputTokens: MODEL.maxOutputTokens,
    });
  };

  it('is a quarter of the body’s bytes for texts, and the count for tokens, without an output', () => {
    const call = embeds('Hello');
    expect(estimateOf('Hello')).toBe(Math.ceil(call.promptBytes / 4));
    expect(estimateOf([1, 2, 3])).toBe(3);
    expect(estimateOf(['x'.repeat(4_000), 'y'])).toBe(200);
  });

  it('is the same before the model is known', () => {
    const call = embeds([[1, 2], [3]]);
    const facts = { ...call, promptWindow: null, outputTokensAsked: null, modelMaxOutputTokens: null };
    expect(estimateTokens(facts)).toBe(3);
  });
});
