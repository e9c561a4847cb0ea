import { type Nanos } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

import { FEMTO_BPS_PER_NANO, ratesOf, roundUpToNanos } from './cost-of';
import { FEMTOS_PER_NANO, WHOLE_BPS, type Prices, type TokenRates } from './prices';

/** The rates of a call as its record keeps them: femto-dollars per token, as text, because they may be beyond exact JSON. */
type StoredRates = Readonly<Record<keyof TokenRates, string>>;

/** The tokens of one kind that a call used. */
interface CostLine {
  readonly kind: 'input' | 'cached_input' | 'cache_write' | 'output';
  readonly tokens: number;
  /** Nano-dollars per token, as an exact decimal. */
  readonly price: string;
  /** Nano-dollars, as an exact decimal: tokens times price. */
  readonly amount: string;
}

/** How the cost of a call comes about. So many basis points of the amounts of the lines, and the rounding, add up to `total`. */
interface ExplainedCost {
  readonly lines: readonly CostLine[];
  /** The amount that rounding up added, in nano-dollars, as an exact decimal below 1. */
  readonly rounding: string;
  readonly total: Nanos;
}

/** The rates by which `costOf` prices this usage. */
export function storedRates(usage: TokenUsage, prices: Prices): StoredRates {
  const { input, cachedInput, cacheWrite, output } = ratesOf(usage, prices);
  return {
    input: String(input),
    cachedInput: String(cachedInput),
    cacheWrite: String(cacheWrite),
    output: String(output),
  };
}

/**
 * The steps of `costOf` (docs/reference/money.md#charges). A kind of token that was not used has no line.
 * @param bps of the lines, which are at the catalog's prices
 */
export function explainCost(usage: TokenUsage, rates: StoredRates, bps = WHOLE_BPS): ExplainedCost {
  const kinds = [
    ['input', usage.inputTokens, rates.input],
    ['cached_input', usage.cachedInputTokens, rates.cachedInput],
    ['cache_write', usage.cacheWriteTokens, rates.cacheWrite],
    ['output', usage.outputTokens, rates.output],
  ] as const;
  const used = kinds.filter(([, tokens]) => tokens > 0);
  const exact = used.reduce((sum, [, tokens, rate]) => sum + BigInt(tokens) * BigInt(rate), 0n);
  const total = roundUpToNanos(exact, bps);
  return {
    lines: used.map(([kind, tokens, rate]) => ({
      kind,
      tokens,
      price: decimalNanos(BigInt(rate)),
      amount: decimalNanos(BigInt(tokens) * BigInt(rate)),
    })),
    rounding: decimalNanos(total * FEMTO_BPS_PER_NANO - exact * BigInt(bps), FEMTO_BPS_PER_NANO),
    total,
  };
}

/** An amount that is not negative, in nano-dollars: `37.5`. @param perNano a power of ten; that of femto-dollars by default. */
function decimalNanos(amount: bigint, perNano = FEMTOS_PER_NANO): string {
  const whole = String(amount / perNano);
  const fraction = String(amount % perNano)
    .padStart(String(perNano).length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
