/** The same memory as a Buffer: no copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const decodeUtf8 = (bytes: Uint8Array): string => asBuffer(bytes).toString('utf8');
export const encodeUtf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/**
 * Bytes as a string of one character a byte, and back. What is searched and cut often is handled in this form:
 * string operations stay inside the JIT, where every Buffer operation is a call out of it.
 */
export const toByteText = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1');
export const fromByteText = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a JSON text holds, or null for anything else. */
export function parseRecord(json: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
