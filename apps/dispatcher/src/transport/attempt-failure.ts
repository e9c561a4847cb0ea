/**
 * Why no answer came, as customers see it in `attempts_log`. `blocked_address` gives no details, because they would reveal
 * our network (docs/reference/webhooks.md#deliveries).
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

/** The failure of a connection that already carries a request or an answer. */
export function exchangeFailure(error: unknown): AttemptFailure {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (code.startsWith('HPE_')) return new AttemptFailure('invalid_response', error);
  // In TLS 1.3 a server may refuse a client after the handshake has ended for the client.
  if (code.startsWith('ERR_SSL_')) return new AttemptFailure('tls_failed', error);
  return new AttemptFailure('connection_closed', error);
}
