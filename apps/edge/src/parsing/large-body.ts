/** Above this a body is worked on by a thread of its own: JSON.parse of 50 MB would hold every other caller up. */
const INLINE_BYTES_MAX = 256 * 1024;

export const isLarge = (body: Uint8Array): boolean => body.byteLength > INLINE_BYTES_MAX;

/** Bytes whose memory holds nothing else, so that it can go over to another thread: a copy only where it must be. */
export const inOwnMemory = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
