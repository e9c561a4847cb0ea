/** A Buffer over the same memory, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const decodeUtf8 = (bytes: Uint8Array): string => asBuffer(bytes).toString('utf8');
export const encodeUtf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/**
 * Byte text: a string with one character per byte. Text that is searched and cut often has this form, because the JIT
 * inlines string operations while every Buffer operation is a native call.
 */
export const toByteText = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1');
export const fromByteText = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a JSON text. Null for anything else. */
export function parseRecord(json: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
