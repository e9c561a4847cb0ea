declare const unit: unique symbol;

/**
 * Femto-dollars (10⁻¹⁵ USD) per token. A femto-dollar is a millionth of a nano-dollar, so 37.5 nano-dollars are exact.
 */
export type PricePerToken = bigint & { readonly [unit]: 'femtos per token' };

export const FEMTOS_PER_NANO = 1_000_000n;
/** Basis points of a price that is charged as the catalog has it. */
export const WHOLE_BPS = 10_000;

/** The price of each kind of token. A prompt token is of exactly one of the first three kinds. */
export interface TokenRates {
  readonly input: PricePerToken;
  readonly cachedInput: PricePerToken;
  readonly cacheWrite: PricePerToken;
  readonly output: PricePerToken;
}

/** Prices of one model endpoint (docs/reference/models-and-catalog.md#prices). */
export interface Prices extends TokenRates {
  /** Rates of the whole call when its prompt, with cached tokens, has more than `aboveTokens`. */
  readonly longPrompt?: TokenRates & { readonly aboveTokens: number };
}

const FREE = 0n as PricePerToken;
/** Of tokens that are paid in another way. */
export const FREE_PRICES: Prices = { input: FREE, cachedInput: FREE, cacheWrite: FREE, output: FREE };

const DECIMAL = /^(\d+)(?:\.(\d{1,6}))?$/;

/**
 * Converts a price from the catalog, in nano-dollars per token.
 * @returns null when it is negative, not finite or has more than six decimals, which would not be exact
 */
export function pricePerToken(nanosPerToken: number): PricePerToken | null {
  // `String` gives the shortest decimal for the number, which is the text in the file.
  const [, whole, fraction = ''] = DECIMAL.exec(String(nanosPerToken)) ?? [];
  if (whole === undefined) return null;
  return BigInt(whole + fraction.padEnd(6, '0')) as PricePerToken;
}

/** So many basis points of a price, in the catalog's unit: the nearest number. The inverse of {@link pricePerToken}. */
export function nanosPerToken(price: PricePerToken, bps = WHOLE_BPS): number {
  const digits = String(price * BigInt(bps)).padStart(PRICE_DIGITS + 1, '0');
  // A division would round twice.
  return Number(`${digits.slice(0, -PRICE_DIGITS)}.${digits.slice(-PRICE_DIGITS)}`);
}

/** Decimals of a basis point of a femto-dollar, in nano-dollars. */
const PRICE_DIGITS = 10;

/** The rates that apply to a call with this many prompt tokens. */
export function ratesFor(prices: Prices, promptTokens: number): TokenRates {
  const { longPrompt } = prices;
  return longPrompt !== undefined && promptTokens > longPrompt.aboveTokens ? longPrompt : prices;
}

/** Each rate is the dearest of those of `all`, which is not empty. The rates of a long prompt apply above the lowest of their bounds. */
export function dearestPrices(all: readonly Prices[]): Prices {
  const bounds = all.flatMap(({ longPrompt }) => longPrompt?.aboveTokens ?? []);
  if (bounds.length === 0) return dearestRates(all);
  const ofLongPrompts = dearestRates([...all, ...all.flatMap(({ longPrompt }) => longPrompt ?? [])]);
  return { ...dearestRates(all), longPrompt: { ...ofLongPrompts, aboveTokens: Math.min(...bounds) } };
}

function dearestRates(all: readonly TokenRates[]): TokenRates {
  const dearest = (kind: keyof TokenRates): PricePerToken =>
    all.map((rates) => rates[kind]).reduce((a, b) => (a > b ? a : b));
  return {
    input: dearest('input'),
    cachedInput: dearest('cachedInput'),
    cacheWrite: dearest('cacheWrite'),
    output: dearest('output'),
  };
}
