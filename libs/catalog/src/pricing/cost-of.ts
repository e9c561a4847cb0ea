import { nanos, type Nanos } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

import { FEMTOS_PER_NANO, ratesFor, type Prices, type TokenRates } from './prices';

/** The cost of a call: an exact sum, rounded up once (docs/reference/money.md#charges). */
export function costOf(usage: TokenUsage, prices: Prices): Nanos {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage;
  const rates = ratesOf(usage, prices);
  return roundUpToNanos(
    BigInt(inputTokens) * rates.input +
      BigInt(cachedInputTokens) * rates.cachedInput +
      BigInt(cacheWriteTokens) * rates.cacheWrite +
      BigInt(outputTokens) * rates.output,
  );
}

/** The rates that apply to a call with this usage. */
export const ratesOf = (usage: TokenUsage, prices: Prices): TokenRates =>
  ratesFor(prices, usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens);

export function roundUpToNanos(femtos: bigint): Nanos {
  return nanos((femtos + FEMTOS_PER_NANO - 1n) / FEMTOS_PER_NANO);
}
