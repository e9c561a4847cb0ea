import { type ParsedCall } from '@svc/protocol';

import { type Model } from '../catalog/catalog';

/** A token of ordinary text has about four bytes in the tokenizers of the large providers. */
const BYTES_PER_TOKEN = 4;

/** The most tokens that the prompts of a call can have: each may fill the model's context window. */
export const promptWindow = (
  { prompts }: Pick<ParsedCall, 'prompts'>,
  { contextWindow }: Pick<Model, 'contextWindow'>,
): number => prompts * contextWindow;

/** The prompt's tokens: their number where the caller sent tokens, else an estimate from the bytes. */
export function estimatedPromptTokens({
  promptBytes,
  promptTokensMax,
}: Pick<ParsedCall, 'promptBytes' | 'promptTokensMax'>): number {
  if (promptTokensMax !== null && promptTokensMax < promptBytes) return promptTokensMax;
  return Math.ceil(promptBytes / BYTES_PER_TOKEN);
}
