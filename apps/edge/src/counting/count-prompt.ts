import { setImmediate } from 'node:timers/promises';
import { type PromptCount } from '@svc/inference';
import { promptText } from '@svc/protocol';
import { type CountJob } from './count-job';
import { textSlices } from './text-slices';

/** What chat formats write around each message, and before the answer. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_BEFORE_ANSWER = 3;
/** Of a large image; a page of a document takes somewhat more. */
const TOKENS_PER_MEDIUM = 1_600;
/** Of text that is only estimated, as the token buckets do. */
const BYTES_PER_TOKEN = 4;
/** Slices counted before others get their turn: about 30 ms of the worst text. */
const SLICES_A_TURN = 32;
/** The tokenizer keeps the pieces it has met: enough for the words of a language. */
const KEPT_PIECES = 20_000;

type CountText = (text: string) => number;

/**
 * Counts a body's prompt with the tokenizer of OpenAI's newer models, on the second thread. What is not text is
 * taken at a fixed price.
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
      if (++sliceCount % SLICES_A_TURN === 0) await setImmediate();
    }
  }
  return { tokenCount, wideBytes };
}

let tokenizer: Promise<CountText> | undefined;

/** Its vocabulary takes 180 ms and 80 MB: only an edge that has something to count pays that. */
function loadTokenizer(): Promise<CountText> {
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens, setMergeCacheSize }) => {
    setMergeCacheSize(KEPT_PIECES);
    // What looks like a control word of the model is a caller's text like any other.
    const asText = { disallowedSpecial: new Set<string>() };
    return (text) => countTokens(text, asText);
  });
  return tokenizer;
}
