/**
 * Why no answer came, as customers read it in `attempts_log`. `blocked_address` says no more, whatever was found: it must
 * teach nobody about our network (contract.md section 8).
 */
export type FailureCode =
  | 'blocked_address'
  | 'dns_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'connection_closed'
  | 'invalid_response'
  | 'timeout';

export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';

  constructor(
    readonly code: FailureCode,
    cause?: unknown,
  ) {
    super(code, { cause });
  }
}

/** What a connection breaks with once it carries a request, in either direction. */
export function exchangeFailure(error: unknown): AttemptFailure {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (code.startsWith('HPE_')) return new AttemptFailure('invalid_response', error);
  // TLS 1.3 lets a server refuse a client when the handshake is over for that already.
  if (code.startsWith('ERR_SSL_')) return new AttemptFailure('tls_failed', error);
  return new AttemptFailure('connection_closed', error);
}
