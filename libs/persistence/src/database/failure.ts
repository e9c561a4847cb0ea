import { DatabaseError } from 'pg';
import { GatewayError } from '@svc/kernel';

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
  if (error instanceof TypeError || error instanceof RangeError) return 'other'; // A mistake of ours, and no outage.
  if (!(error instanceof DatabaseError)) return 'connection';
  const code = error.code ?? '';
  if (code === '40001' || code === '40P01') return 'conflict';
  // Class 08 connection, 53 resources, 57P shutdown and start-up, 25006 a demoted primary.
  if (code.startsWith('08') || code.startsWith('53') || code.startsWith('57P') || code === '25006') {
    return 'connection';
  }
  return code.startsWith('22') || code.startsWith('23') ? 'data' : 'other';
}

/**
 * What a call is refused with before anything was sent: a 503 while the database is away, which it may be tried again
 * after. Any other failure stays what it is.
 */
export function refusalFor(error: unknown): unknown {
  if (error instanceof GatewayError || failureKind(error) !== 'connection') return error;
  return new GatewayError(
    'overloaded',
    'The books cannot be reached at the moment. Nothing was sent or charged. Please retry.',
    { cause: error },
  );
}
