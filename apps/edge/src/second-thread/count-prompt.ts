import { setImmediate } from 'node:timers/promises';
import { type PromptCount } from '@svc/inference';
import { promptText } from '@svc/protocol';
import { type CountJob } from './count-job';
import { textSlices } from './text-slices';

/** Tokens that chat formats add to each message, and before the answer. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_BEFORE_ANSWER = 3;
/** Tokens of a large image; a page of a document has somewhat more. */
const TOKENS_PER_MEDIUM = 1_600;
/** For estimates, as in the token buckets. */
const BYTES_PER_TOKEN = 4;
/** Slices counted before yielding to other jobs: about 30 ms of the worst text. */
const SLICES_PER_TURN = 32;
/** Size of the tokenizer's cache: enough for the words of a language. */
const CACHED_PIECES_MAX = 20_000;

type CountText = (text: string) => number;

/**
 * Counts a body's prompt with the tokenizer of OpenAI's newer models, on the second thread. Media count as a
 * fixed number of tokens.
 */
export async function countPrompt({ bytes, tokensMax }: CountJob): Promise<PromptCount> {
  const body = JSON.parse(Buffer.from(bytes.buffer).toString()) as Readonly<Record<string, unknown>>;
  const { texts, messageCount, mediaCount } = promptText(body);
  const countText = await loadTokenizer();
  let tokenCount = TOKENS_BEFORE_ANSWER + messageCount * TOKENS_PER_MESSAGE + mediaCount * TOKENS_PER_MEDIUM;
  let wideBytes = 0;
  let sliceCount = 0;
  for (const text of texts) {
    wideBytes += Buffer.byteLength(text) - text.length;
    for (const slice of textSlices(text)) {
      if (tokenCount > tokensMax) {
        tokenCount += Math.ceil(Buffer.byteLength(slice) / BYTES_PER_TOKEN);
        continue;
      }
      tokenCount += countText(slice);
      if (++sliceCount % SLICES_PER_TURN === 0) await setImmediate();
    }
  }
  return { tokenCount, wideBytes };
}

let tokenizer: Promise<CountText> | undefined;

/** Loaded on first use: its vocabulary takes 180 ms and 80 MB. */
function loadTokenizer(): Promise<CountText> {
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens, setMergeCacheSize }) => {
    setMergeCacheSize(CACHED_PIECES_MAX);
    // Special tokens in a caller's text count as ordinary text.
    const asText = { disallowedSpecial: new Set<string>() };
    return (text) => countTokens(text, asText);
  });
  return tokenizer;
}
