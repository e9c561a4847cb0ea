declare const unit: unique symbol;

/** Femto-dollars (10⁻¹⁵ USD) per token: a millionth of a nano-dollar, so that 37.5 nano-dollars are exact. */
export type PricePerToken = bigint & { readonly [unit]: 'femtos per token' };

export const FEMTOS_PER_NANO = 1_000_000n;

/** What each kind of token costs. Prompt tokens are of exactly one of the first three kinds. */
export interface TokenRates {
  readonly input: PricePerToken;
  readonly cachedInput: PricePerToken;
  readonly cacheWrite: PricePerToken;
  readonly output: PricePerToken;
}

/** Prices of one model endpoint (contract.md section 6). */
export interface Prices extends TokenRates {
  /** Rates of the whole call once its prompt, cached tokens included, has more tokens than this. */
  readonly longPrompt?: TokenRates & { readonly aboveTokens: number };
}

const DECIMAL = /^(\d+)(?:\.(\d{1,6}))?$/;

/**
 * The price as written in the catalog, in nano-dollars per token.
 * @returns null when it is negative, not finite or has more than six decimals, which would not be exact
 */
export function pricePerToken(nanosPerToken: number): PricePerToken | null {
  // The shortest decimal that reads back as this number is what stood in the file.
  const [, whole, fraction = ''] = DECIMAL.exec(String(nanosPerToken)) ?? [];
  if (whole === undefined) return null;
  return BigInt(whole + fraction.padEnd(6, '0')) as PricePerToken;
}

/** The price as it is written in the catalog: {@link pricePerToken} of it is the price again. */
export const nanosPerToken = (price: PricePerToken): number => Number(price) / Number(FEMTOS_PER_NANO);

/** The rates that hold for a call with this many prompt tokens. */
export function ratesFor(prices: Prices, promptTokens: number): TokenRates {
  const { longPrompt } = prices;
  return longPrompt !== undefined && promptTokens > longPrompt.aboveTokens ? longPrompt : prices;
}
