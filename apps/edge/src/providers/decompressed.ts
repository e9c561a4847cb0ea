import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** By content coding (RFC 9110 section 8.4.1, RFC 8878). */
const decompressors: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/**
 * Decompresses a body that an upstream compressed without being asked to
 * (docs/reference/inference-and-compatibility.md#size). It is decompressed lazily: the reader bounds its size. A body of
 * another coding stays as it is, and is no answer of any protocol.
 * @param encoding the answer's `content-encoding`
 * @throws while it is read, as the body itself does, or an error of zlib.
 */
export function decompressed(
  body: AsyncIterable<Uint8Array>,
  encoding: string | readonly string[] | undefined,
): AsyncIterable<Uint8Array> {
  if (encoding === undefined) return body;
  const decompressor = decompressors.get(String(encoding).trim().toLowerCase())?.();
  // A failure of either stream is thrown to the reader.
  return decompressor === undefined ? body : pipeline(body, decompressor, () => undefined);
}
