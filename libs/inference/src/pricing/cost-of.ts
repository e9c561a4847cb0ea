import { nanos, type Nanos } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

import { FEMTOS_PER_NANO, ratesFor, type Prices } from './prices';

/** What a call costs: summed exactly, rounded up once (contract.md sections 2 and 11). */
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
