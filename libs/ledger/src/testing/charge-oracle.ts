import { pricePerToken, type Prices } from '@svc/catalog';
import { type TokenUsage } from '@svc/protocol';
import fc from 'fast-check';

/** Prices as the catalog has them, in nano-dollars, each with six decimals at most. */
interface WrittenPrices {
  readonly input: string;
  readonly cachedInput: string;
  readonly cacheWrite: string;
  readonly output: string;
}

export interface PricedUsage {
  readonly written: WrittenPrices;
  readonly usage: TokenUsage;
}

/** Of prices up to 10,000 nano-dollars a token, which have a fraction more often than not. */
const writtenPrice = fc
  .tuple(fc.nat(10_000), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, millionths]) => `${String(whole)}.${String(millionths).padStart(6, '0')}`);
const tokens = fc.nat(2_000_000);

export const pricedUsages: fc.Arbitrary<PricedUsage> = fc.record({
  written: fc.record({
    input: writtenPrice,
    cachedInput: writtenPrice,
    cacheWrite: writtenPrice,
    output: writtenPrice,
  }),
  usage: fc.record({
    inputTokens: tokens,
    cachedInputTokens: tokens,
    cacheWriteTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: fc.constant(0),
  }),
});

/** As the catalog reads them. */
export function pricesOf({ input, cachedInput, cacheWrite, output }: WrittenPrices): Prices {
  const read = (price: string) => {
    const found = pricePerToken(Number(price));
    if (found === null) throw new Error(`${price} is no price.`);
    return found;
  };
  return {
    input: read(input),
    cachedInput: read(cachedInput),
    cacheWrite: read(cacheWrite),
    output: read(output),
  };
}

/**
 * Σ tokens × price × bps in nano-dollars, by whole numbers alone, and rounded up once (docs/reference/money.md#charges). It shares
 * nothing with what it is held against.
 */
export function oracleCharge({ written, usage }: PricedUsage, bps: number): bigint {
  const millionths = (price: string): bigint => BigInt(price.replace('.', ''));
  const sum =
    BigInt(usage.inputTokens) * millionths(written.input) +
    BigInt(usage.cachedInputTokens) * millionths(written.cachedInput) +
    BigInt(usage.cacheWriteTokens) * millionths(written.cacheWrite) +
    BigInt(usage.outputTokens) * millionths(written.output);
  const exact = sum * BigInt(bps);
  const unit = 1_000_000n * 10_000n;
  return exact / unit + (exact % unit === 0n ? 0n : 1n);
}
