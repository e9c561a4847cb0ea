import { type IncomingMessage } from 'node:http';

const EXCERPT_BYTES_MAX = 2 * 1024;
const BODY_BYTES_MAX = 64 * 1024;
/** How long the rest of an answer may take that is known already by its status. */
const REST_MS = 1_000;

/**
 * The beginning of an answer's body, as text that can be stored and shown; null when it has none. What is larger or slower
 * is cut off: the status has said what matters. It is never decompressed.
 */
export async function readExcerpt(answer: IncomingMessage): Promise<string | null> {
  const kept: Buffer[] = [];
  let bytes = 0;
  const rest = setTimeout(() => answer.destroy(), REST_MS);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES_MAX) kept.push(chunk.subarray(0, EXCERPT_BYTES_MAX - bytes));
      bytes += chunk.length;
      if (bytes >= BODY_BYTES_MAX) break;
    }
  } catch {
    // Cut off, by either side: what came is what there is.
  } finally {
    clearTimeout(rest);
  }
  return kept.length === 0 ? null : excerptOf(Buffer.concat(kept));
}

/** Text of 2 KiB at most, without what PostgreSQL can't store, and without a signature that a receiver echoes. */
export function excerptOf(bytes: Uint8Array): string {
  const text = new TextDecoder()
    .decode(bytes.subarray(0, EXCERPT_BYTES_MAX), { stream: true })
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/v1=[0-9a-f]{64}/gi, 'v1=…');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(EXCERPT_BYTES_MAX));
  return text.slice(0, read);
}
