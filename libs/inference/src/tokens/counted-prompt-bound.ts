/** A prompt as a real tokenizer counted it: that of OpenAI's models, whatever model the call is for. */
export interface PromptCount {
  readonly tokenCount: number;
  /** UTF-8 bytes of its text beyond one a character: none in ASCII, two for a Chinese character. */
  readonly wideBytes: number;
}

/**
 * How far other tokenizers are from the one that counts: in scripts of one byte a character up to 1.47 times as many
 * tokens, beyond that the more, the less a vocabulary knows of the script (Thai: four times).
 * The spec holds it against three of them.
 */
const OTHERS_PER_TOKEN = 1.5;
const OTHERS_PER_WIDE_BYTE = 0.75;

/**
 * A bound of the prompt's tokens, much tighter than one token a byte, and nearly as safe: where a model's tokenizer is
 * stranger still, the charge ends at the hold (contract.md sections 5 and 11).
 *
 * @param promptTokensMax by the bytes of the body, see `ParsedCall`; what it has beyond them is for the words that
 * providers add about tools, which nobody can count here
 */
export function countedPromptBound(
  { tokenCount, wideBytes }: PromptCount,
  { promptTokensMax, promptBytes }: { readonly promptTokensMax: number; readonly promptBytes: number },
): number {
  const counted = Math.ceil(tokenCount * OTHERS_PER_TOKEN + wideBytes * OTHERS_PER_WIDE_BYTE);
  return Math.min(counted + promptTokensMax - promptBytes, promptTokensMax);
}
