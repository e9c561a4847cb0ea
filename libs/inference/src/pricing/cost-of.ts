import { nanos, type Nanos } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

import { FEMTOS_PER_NANO, ratesFor, type Prices } from './prices';

/** The cost of a call: an exact sum, rounded up once (docs/reference/money.md#charges). */
export function costOf(usage: TokenUsage, prices: Prices): Nanos {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage;
  const rates = ratesFor(prices, inputTokens + cachedInputTokens + cacheWriteTokens);
  return roundUpToNanos(
    BigInt(inputTokens) * rates.input +
      BigInt(cachedInputTokens) * rates.cachedInput +
      BigInt(cacheWriteTokens) * rates.cacheWrite +
      BigInt(outputTokens) * rates.output,
  );
}

export function roundUpToNanos(femtos: bigint): Nanos {
  return nanos((femtos + FEMTOS_PER_NANO - 1n) / FEMTOS_PER_NANO);
}
