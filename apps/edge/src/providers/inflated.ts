import { pipeline } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

const HEADER_BYTES = 2;
const DEFLATE_METHOD = 8;

/**
 * Decompresses `deflate`, which is deflated data within zlib's format (RFC 9110 section 8.4.1.2). Some servers leave
 * zlib's header and checksum out. Read lazily.
 */
export async function* inflated(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    const head = await firstBytesOf(chunks);
    const inflate = hasZlibHeader(head) ? createInflate() : createInflateRaw();
    // A failure of either stream is thrown to the reader.
    yield* pipeline(withHead(head, chunks), inflate, () => undefined) as AsyncIterable<Uint8Array>;
  } finally {
    await chunks.return?.();
  }
}

async function firstBytesOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.byteLength < HEADER_BYTES) {
    const chunk = await chunks.next();
    if (chunk.done === true) break;
    head = Buffer.concat([head, chunk.value]);
  }
  return head;
}

async function* withHead(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let chunk = await rest.next(); chunk.done !== true; chunk = await rest.next()) yield chunk.value;
}

/** The compression method in the low bits of the first byte, and both bytes a multiple of 31 (RFC 1950 section 2.2). */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === DEFLATE_METHOD && (first * 256 + second) % 31 === 0;
