import { type CatalogPrices } from './catalog-file';

/** Tokens by the price that applies to them. */
export interface BilledTokens {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: unknown;
}

/** OpenAI's prompt tokens include cached and cache-written ones. */
export function billedOfChat(usage: ChatUsage): BilledTokens {
  const details = (usage.prompt_tokens_details ?? {}) as {
    cached_tokens?: number;
    cache_write_tokens?: number;
  };
  const cachedInput = details.cached_tokens ?? 0;
  const cacheWrite = details.cache_write_tokens ?? 0;
  const input = usage.prompt_tokens - cachedInput - cacheWrite;
  return { input, cachedInput, cacheWrite, output: usage.completion_tokens };
}

interface ResponseUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_tokens_details?: unknown;
}

/** Those of a response too. */
export const billedOfResponse = (usage: ResponseUsage): BilledTokens =>
  billedOfChat({
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    prompt_tokens_details: usage.input_tokens_details,
  });

interface MessageUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Anthropic's input tokens exclude them. */
export const billedOfMessage = (usage: MessageUsage): BilledTokens => ({
  input: usage.input_tokens ?? 0,
  cachedInput: usage.cache_read_input_tokens ?? 0,
  cacheWrite: usage.cache_creation_input_tokens ?? 0,
  output: usage.output_tokens,
});

const SCALE_DIGITS = 6;
const SCALE = 10n ** BigInt(SCALE_DIGITS);

/** Usage times price in nano-dollars, summed exactly and rounded up once (docs/reference/money.md#charges). */
export function expectedCharge(tokens: BilledTokens, prices: CatalogPrices): bigint {
  const scaled =
    BigInt(tokens.input) * scaledPrice(prices.input) +
    BigInt(tokens.cachedInput) * scaledPrice(prices.cached_input ?? prices.input) +
    BigInt(tokens.cacheWrite) * scaledPrice(prices.cache_write ?? prices.input) +
    BigInt(tokens.output) * scaledPrice(prices.output);
  return (scaled + SCALE - 1n) / SCALE;
}

function scaledPrice(price: number): bigint {
  const [whole = '0', fraction = ''] = String(price).split('.');
  return BigInt(whole + fraction.padEnd(SCALE_DIGITS, '0'));
}
