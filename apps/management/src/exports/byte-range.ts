import { type ByteRange } from '@svc/storage';

/**
 * The range that a `Range` header asks for (RFC 9110 section 14.2). Null where the whole file is sent: without one, for several ranges, and
 * for what is no range of bytes. `unsatisfiable` for one that begins behind the end.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}
