/** One token for each started 4 bytes of UTF-8: deterministic, and close to real tokenizers for English. */
export const BYTES_PER_TOKEN = 4;
/** Of a longer prompt only the last tokens are read and counted, as by local model servers. */
export const CONTEXT_WINDOW_TOKENS = 200_000;

export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
