import { DatabaseError } from 'pg';

/** What a failed statement tells about its transaction. */
export type FailureKind =
  /** The rows themselves are refused; it would fail again. Nothing was written. */
  | 'data'
  /** It lost against another transaction. Nothing was written; the same may succeed now. */
  | 'conflict'
  /** The connection or the server went away: it may have committed or not. */
  | 'connection'
  | 'other';

/** SQLSTATE (PostgreSQL documentation, appendix A) or, where the server never answered, a socket's error. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof DatabaseError)) return 'connection';
  const code = error.code ?? '';
  if (code === '40001' || code === '40P01') return 'conflict';
  // Class 08 connection, 53 resources, 57P shutdown and start-up, 25006 a demoted primary.
  if (code.startsWith('08') || code.startsWith('53') || code.startsWith('57P') || code === '25006') {
    return 'connection';
  }
  return code.startsWith('22') || code.startsWith('23') ? 'data' : 'other';
}
