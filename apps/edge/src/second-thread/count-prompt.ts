import { type PromptCount } from '@svc/catalog';
import { promptText } from '@svc/protocol';
import { type CountJob } from './count-job';
import { countTexts } from './tokenizer';

/** Tokens that chat formats add to each message, and before the answer. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_BEFORE_ANSWER = 3;
/** Tokens of a large image; a page of a document has somewhat more. */
const TOKENS_PER_MEDIUM = 1_600;

/** Counts a body's prompt. Media count as a fixed number of tokens. */
export async function countPrompt({ operation, bytes, tokensMax }: CountJob): Promise<PromptCount> {
  const body = JSON.parse(Buffer.from(bytes.buffer).toString()) as Readonly<Record<string, unknown>>;
  const { texts, tokenCount, messageCount, mediaCount } = promptText(operation, body);
  const framing = messageCount === 0 ? 0 : TOKENS_BEFORE_ANSWER + messageCount * TOKENS_PER_MESSAGE;
  const added = tokenCount + framing + mediaCount * TOKENS_PER_MEDIUM;
  const wideBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) - text.length, 0);
  return { tokenCount: added + (await countTexts(texts, tokensMax - added)), wideBytes };
}
