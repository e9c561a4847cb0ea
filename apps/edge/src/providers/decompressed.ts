import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { inflated } from './inflated';

type Body = AsyncIterable<Uint8Array>;

/** Through a stream of zlib. A failure of either stream is thrown to the reader. */
const through =
  (create: () => Duplex) =>
  (body: Body): Body =>
    pipeline(body, create(), () => undefined);

/** By content coding (RFC 9110 section 8.4.1, RFC 8878). */
const decompressors: ReadonlyMap<string, (body: Body) => Body> = new Map([
  ['gzip', through(createGunzip)],
  ['x-gzip', through(createGunzip)],
  ['deflate', inflated],
  ['br', through(createBrotliDecompress)],
  ['zstd', through(createZstdDecompress)],
]);

/**
 * Decompresses a body that an upstream compressed without being asked to
 * (docs/reference/inference-and-compatibility.md#size). It is decompressed lazily: the reader bounds its size. A body of
 * another coding stays as it is, and is no answer of any protocol.
 * @param encoding the answer's `content-encoding`
 * @throws while it is read, as the body itself does, or an error of zlib.
 */
export function decompressed(body: Body, encoding: string | readonly string[] | undefined): Body {
  if (encoding === undefined) return body;
  const decompress = decompressors.get(String(encoding).trim().toLowerCase());
  return decompress === undefined ? body : decompress(body);
}
