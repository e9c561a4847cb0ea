/** From this size on a body is processed on the second thread: JSON.parse of 50 MB would block every other caller. */
export const LARGE_BYTES_MIN = 256 * 1024 + 1;

export const isLarge = (body: Uint8Array): boolean => body.byteLength >= LARGE_BYTES_MIN;

/** Bytes that own their buffer, so that it can be transferred to another thread; copied only if needed. */
export const transferable = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
