import { DatabaseError } from 'pg';
import { refusalFor } from '../database/failure';

/** Failed authorization (class 28), and an unknown database. */
const REFUSALS = /^(?:28|3D000)/;
/** pg's message for a server that refuses TLS, and Node.js's codes for a certificate that it does not accept. */
const NO_TLS = /^(?:The server does not support SSL|There was an error establishing an SSL)/;
const BAD_CERTIFICATE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
/** pg's message for a failed connection outside a pool. */
const AWAY = /^timeout expired$/;

/** Classifies the failure of a process's first statement. */
export function judgeFailedStart(error: unknown): 'unreachable' | 'refused' | 'other' {
  const { message = '', code = '', syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (refusalFor(error) !== error || syscall !== undefined || AWAY.test(message)) return 'unreachable';
  const isRefused =
    error instanceof DatabaseError
      ? REFUSALS.test(error.code ?? '')
      : NO_TLS.test(message) || BAD_CERTIFICATE.test(code);
  return isRefused ? 'refused' : 'other';
}
