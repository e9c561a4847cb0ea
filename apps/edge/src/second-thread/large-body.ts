/** From this size on a body is processed on the second thread: JSON.parse of 50 MB would block every other caller. */
export const LARGE_BYTES_MIN = 256 * 1024 + 1;

/** From this size on a body is in memory that both threads share. A copy of a smaller one costs less than collecting it. */
export const SHARED_BYTES_MIN = 8 * 1024 * 1024;

export const isLarge = (body: Uint8Array): boolean => body.byteLength >= LARGE_BYTES_MIN;

/** True where both threads can have the bytes at once: they are whole, in shared memory. */
const isShared = ({ buffer, byteLength }: Uint8Array): boolean =>
  buffer instanceof SharedArrayBuffer && byteLength === buffer.byteLength;

/** Bytes for a job, which this thread keeps: a copy of what is not shared. */
export const bytesForJob = (bytes: Uint8Array): Uint8Array =>
  isShared(bytes) ? bytes : new Uint8Array(bytes);

/** The memory of bytes that is handed over to another thread: shared memory is not. */
export const handedOver = (bytes: Uint8Array): ArrayBuffer[] =>
  bytes.buffer instanceof SharedArrayBuffer ? [] : [bytes.buffer as ArrayBuffer];

/** Bytes that can be handed over to another thread: shared, or with a buffer of their own; copied only if needed. */
export const transferable = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof SharedArrayBuffer || bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : new Uint8Array(bytes);
