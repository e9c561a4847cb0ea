import { DatabaseError } from 'pg';
import { GatewayError } from '@svc/kernel';

/** Kinds of failure of a statement, by the state of its transaction. */
export type FailureKind =
  /** The database refuses the rows themselves: a retry would fail too. Nothing was written. */
  | 'data'
  /**
   * It lost against another transaction, or waited too long for a lock. Nothing was written. A retry may succeed now.
   */
  | 'conflict'
  /** The connection or the server is gone or does not answer: it may have committed or not. */
  | 'connection'
  /** The statement was cancelled, or the server failed. Nothing was written. A retry may succeed later. */
  | 'other';

/** SQLSTATE (PostgreSQL documentation, appendix A) or, where the server never answered, a socket's error. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof TypeError || error instanceof RangeError) return 'other'; // A mistake of ours, and no outage.
  const state = sqlStateOf(error);
  return state === null ? 'connection' : kindOfState(state);
}

/**
 * The refusal while the database is unavailable, does not answer or is locked: a 503, which the caller may retry. Any
 * other failure is returned unchanged.
 */
export function refusalFor(error: unknown): unknown {
  return isOutage(error) ? new GatewayError('overloaded', NOTHING_SENT, { cause: error }) : error;
}

/** As {@link refusalFor}, where the work may have been committed although its answer was lost. */
export function explainFailure(error: unknown): unknown {
  return isOutage(error) ? new GatewayError('overloaded', UNREACHABLE, { cause: error }) : error;
}

const UNREACHABLE = 'The database cannot be reached at the moment. Please retry.';
const NOTHING_SENT =
  'The database cannot be reached at the moment. Nothing was sent or charged. Please retry.';

/** A statement that was cancelled by a timeout or by an operator. */
const QUERY_CANCELED = '57014';

function isOutage(error: unknown): boolean {
  if (error instanceof GatewayError) return false;
  const state = sqlStateOf(error);
  if (state === null) return isSilence(error) || prismaFailureOf(error) !== null;
  return state === QUERY_CANCELED || ['conflict', 'connection'].includes(kindOfState(state));
}

function kindOfState(state: string): FailureKind {
  // 55P03: the lock timeout.
  if (state === '40001' || state === '40P01' || state === '55P03') return 'conflict';
  // Class 08 connection, 53 resources, 57P shutdown and start-up, 25P03 idle in a transaction, 25006 a demoted primary.
  if (/^(?:08|53|57P|25P03|25006)/.test(state)) return 'connection';
  return state.startsWith('22') || state.startsWith('23') ? 'data' : 'other';
}

/** Null when the server sent none. */
function sqlStateOf(error: unknown): string | null {
  if (error instanceof DatabaseError) return error.code ?? '';
  const { originalCode } = prismaFailureOf(error) ?? {};
  return originalCode ?? null;
}

/** pg has neither a class nor a code for these. */
const SILENCES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:was closed|has encountered a connection error))/;
const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
];

function isSilence(error: unknown): boolean {
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  return SILENCES.test(String(message)) || SOCKET_CODES.includes(String(code));
}

/** P1001 to P1017: the server is unreachable. P2024, P2028: a timeout for a connection or a transaction. */
const PRISMA_OUTAGES = /^P(?:10\d\d|2024|2028)$/;

/** Prisma's adapter names a failed socket so. */
const DRIVER_OUTAGES = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TlsConnectionError'];

interface PrismaFailure {
  readonly kind?: string;
  /** The server's SQLSTATE, where it answered. */
  readonly originalCode?: string;
}

interface PrismaError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: PrismaFailure } };
}

/** The driver's report to Prisma of a failure of the server; null for any other error. */
function prismaFailureOf(error: unknown): PrismaFailure | null {
  const { name, code, meta } = (error ?? {}) as PrismaError;
  if (!String(name).startsWith('PrismaClient')) return null;
  const cause = meta?.driverAdapterError?.cause;
  if (cause?.originalCode !== undefined) return cause;
  return PRISMA_OUTAGES.test(String(code)) || DRIVER_OUTAGES.includes(cause?.kind ?? '') ? {} : null;
}

/** True where a statement gave up because what it was to lock stayed locked. */
export const isLockTimeout = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code === '55P03';
