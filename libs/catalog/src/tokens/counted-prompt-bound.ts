/** A prompt's count by the tokenizer of OpenAI's models, whatever the call's model is. */
export interface PromptCount {
  readonly tokenCount: number;
  /** UTF-8 bytes beyond one per character: none in ASCII, two for a Chinese character. */
  readonly wideBytes: number;
}

/**
 * How many more tokens other tokenizers make: up to 1.47 times as many in scripts with one byte per character, and more
 * for scripts that are rare in a vocabulary (Thai: four times). The spec compares three tokenizers.
 */
const OTHERS_PER_TOKEN = 1.5;
const OTHERS_PER_WIDE_BYTE = 0.75;

/**
 * A bound of the prompt's tokens, much tighter than one token per byte and nearly as safe. If a model's tokenizer
 * exceeds it, the charge is limited to the hold (docs/reference/money.md#more-than-the-hold).
 *
 * @param promptTokensMax the bound by the bytes of the body, see `ParsedCall`. Its excess over `promptBytes` is for
 * text that providers add for tools, which cannot be counted here
 */
export function countedPromptBound(
  { tokenCount, wideBytes }: PromptCount,
  { promptTokensMax, promptBytes }: { readonly promptTokensMax: number; readonly promptBytes: number },
): number {
  const counted = Math.ceil(tokenCount * OTHERS_PER_TOKEN + wideBytes * OTHERS_PER_WIDE_BYTE);
  return Math.min(counted + promptTokensMax - promptBytes, promptTokensMax);
}
