/**
 * Characters in one call of the tokenizer. Its time is quadratic in an unbroken run, such as one letter or Chinese without
 * punctuation: 100 kB of a letter take 13 s in one piece, and 65 ms in slices of this size.
 */
export const SLICE_LENGTH_MAX = 256;

/**
 * Cuts a text before spaces, where tokenizers cut anyway. A longer run is cut anywhere but inside a surrogate pair; that
 * adds at most one token.
 */
export function* textSlices(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = sliceEnd(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

function sliceEnd(text: string, start: number): number {
  const longest = start + SLICE_LENGTH_MAX;
  if (longest >= text.length) return text.length;
  for (let end = longest; end > start; end--) {
    if (text[end] === ' ' && !isSpace(text[end - 1])) return end;
  }
  return isLowSurrogate(text.charCodeAt(longest)) ? longest - 1 : longest;
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
