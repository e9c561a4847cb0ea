import { setImmediate } from 'node:timers/promises';
import { textSlices } from './text-slices';

/** For estimates, as in the token buckets. */
const BYTES_PER_TOKEN = 4;
/** Slices counted before yielding to other jobs: about 30 ms of the worst text. */
const SLICES_PER_TURN = 32;
/** Size of the tokenizer's cache: enough for the words of a language. */
const CACHED_PIECES_MAX = 20_000;

type CountText = (text: string) => number;

/**
 * Counts texts with the tokenizer of OpenAI's newer models, on the second thread.
 * @param tokensMax beyond it the count is an estimate by bytes.
 */
export async function countTexts(texts: Iterable<string>, tokensMax: number): Promise<number> {
  const countText = await loadTokenizer();
  let tokenCount = 0;
  let sliceCount = 0;
  for (const text of texts) {
    for (const slice of textSlices(text)) {
      if (tokenCount > tokensMax) {
        tokenCount += Math.ceil(Buffer.byteLength(slice) / BYTES_PER_TOKEN);
        continue;
      }
      tokenCount += countText(slice);
      if (++sliceCount % SLICES_PER_TURN === 0) await setImmediate();
    }
  }
  return tokenCount;
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
