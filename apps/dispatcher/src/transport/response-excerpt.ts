import { type IncomingMessage } from 'node:http';

const EXCERPT_BYTES_MAX = 2 * 1024;
const BODY_BYTES_MAX = 64 * 1024;
/** The time-out of the body: the status already decides the attempt. */
const REST_MS = 1_000;

/**
 * The beginning of an answer's body, at most 2 KiB. A larger or slower body is cut: the status already decided the attempt.
 * It is never decompressed.
 */
export async function readBeginning(answer: IncomingMessage): Promise<Buffer> {
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
    // Cut by either side: the beginning is what arrived.
  } finally {
    clearTimeout(rest);
  }
  return Buffer.concat(kept);
}

/** Text of at most 2 KiB, without characters that PostgreSQL cannot store, and without a signature that a receiver echoes. */
export function excerptOf(bytes: Uint8Array): string {
  const text = new TextDecoder()
    .decode(bytes.subarray(0, EXCERPT_BYTES_MAX), { stream: true })
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/v1=[0-9a-f]{64}/gi, 'v1=…');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(EXCERPT_BYTES_MAX));
  return text.slice(0, read);
}
