import { isAscii } from 'node:buffer';
import { GatewayError } from '@svc/kernel';
import { LONG_STRING_BYTES, weightOf } from '@svc/protocol';

/** V8's bytes of an empty object in an array that grows, the largest of the small values, with room to spare. */
const BYTES_OF_A_VALUE = 128;
/** The text of the JSON and its values: a byte a character each, or two where one character needs them. */
const ASCII_COPIES = 2;
const WIDE_COPIES = 4;

/** A string that takes part in a translation: its text, its value, and both in what is written. */
const TRANSLATED_COPIES = 2;

interface HeapUse {
  /** Bytes that this thread may have for a job. */
  readonly heapBytes: number;
  /** How often the values are there at once. */
  readonly times?: number;
  /** True where long strings are kept whole. */
  readonly keepsStrings?: boolean;
}

/**
 * Refuses a body whose values would take more memory than a job may have. It must be known before: `JSON.parse` that finds no
 * memory ends the process, whatever the limits of its thread.
 * @throws GatewayError `invalidRequest` with status 413.
 */
export function requireHeap(
  bytes: Uint8Array,
  { heapBytes, times = 1, keepsStrings = false }: HeapUse,
): void {
  const weight = weightOf(bytes, keepsStrings ? Infinity : LONG_STRING_BYTES);
  const copies = isAscii(bytes) ? ASCII_COPIES : WIDE_COPIES;
  if (times * (weight.values * BYTES_OF_A_VALUE + weight.bytes * copies) <= heapBytes) return;
  throw tooMuch();
}

/** The same for the long strings of a body, of which only some take part in a translation: they are told one by one. */
export function heapForStrings(bytes: Uint8Array, heapBytes: number): (byteCount: number) => void {
  const copies = TRANSLATED_COPIES * (isAscii(bytes) ? ASCII_COPIES : WIDE_COPIES);
  let taken = 0;
  return (byteCount) => {
    taken += byteCount * copies;
    if (taken > heapBytes) throw tooMuch();
  };
}

const tooMuch = (): GatewayError =>
  new GatewayError(
    'invalidRequest',
    'The body has more values than the memory of the service has room for.',
    { status: 413 },
  );
