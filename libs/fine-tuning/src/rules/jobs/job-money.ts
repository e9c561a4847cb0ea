import { nanos, type Nanos } from '@svc/kernel';
import { WHOLE_BPS } from '../prices/paid-parts';

const FEMTOS_PER_NANO = 1_000_000n;
/** The hold above the count of the file's tokens, in percent. */
const MARGIN_PERCENT = 10n;

interface Training {
  /** Of the training file. */
  readonly fileTokens: bigint;
  readonly epochs: number;
  /** The most that the provider trains. */
  readonly maxTrainedTokens: bigint;
}

/** The tokens that money is held for (docs/reference/fine-tuning.md#what-a-job-costs). */
export function heldTokens({ fileTokens, epochs, maxTrainedTokens }: Training): bigint {
  const counted = ceilOf(fileTokens * BigInt(epochs) * (100n + MARGIN_PERCENT), 100n);
  return counted < maxTrainedTokens ? counted : maxTrainedTokens;
}

/**
 * So many basis points of the price of tokens, exact, and rounded up once.
 * @param pricePerTokenFemtos femto-dollars: a millionth of a nano-dollar.
 */
export const priceOfTokens = (tokens: bigint, pricePerTokenFemtos: bigint, bps = WHOLE_BPS): Nanos =>
  nanos(ceilOf(tokens * pricePerTokenFemtos * BigInt(bps), FEMTOS_PER_NANO * BigInt(WHOLE_BPS)));

const ceilOf = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
