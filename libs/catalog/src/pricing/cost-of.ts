import { nanos, type Nanos } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

import { FEMTOS_PER_NANO, ratesFor, WHOLE_BPS, type Prices, type TokenRates } from './prices';

/**
 * The cost of a call: an exact sum, rounded up once (docs/reference/money.md#charges).
 * @param bps basis points of the prices
 */
export function costOf(usage: TokenUsage, prices: Prices, bps = WHOLE_BPS): Nanos {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage;
  const rates = ratesOf(usage, prices);
  const femtos =
    BigInt(inputTokens) * rates.input +
    BigInt(cachedInputTokens) * rates.cachedInput +
    BigInt(cacheWriteTokens) * rates.cacheWrite +
    BigInt(outputTokens) * rates.output;
  return roundUpToNanos(femtos, bps);
}

/** The rates that apply to a call with this usage. */
export const ratesOf = (usage: TokenUsage, prices: Prices): TokenRates =>
  ratesFor(prices, usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens);

/** So many basis points of femto-dollars, exact, and rounded up once. */
export function roundUpToNanos(femtos: bigint, bps = WHOLE_BPS): Nanos {
  // Nearly every price is whole.
  if (bps === WHOLE_BPS) return nanos((femtos + FEMTOS_PER_NANO - 1n) / FEMTOS_PER_NANO);
  return nanos((femtos * BigInt(bps) + FEMTO_BPS_PER_NANO - 1n) / FEMTO_BPS_PER_NANO);
}

/** A basis point of a femto-dollar, by which parts of prices are exact. */
export const FEMTO_BPS_PER_NANO = FEMTOS_PER_NANO * BigInt(WHOLE_BPS);
