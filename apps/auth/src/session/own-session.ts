import { type FastifyRequest } from 'fastify';
import { isCsrfTokenOf } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { refuseForeignOrigin } from './browser-origin';
import { type ConsoleSessions, type LiveSession } from './console-sessions';
import { CSRF_FIELD, staleForm } from './form-seal';

/** The live session of a call, for routes about the caller's own account. */
export class OwnSession {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly baseUrl: string,
  ) {}

  find(call: FastifyRequest): Promise<LiveSession | null> {
    return this.sessions.read(call);
  }

  /** @throws GatewayError `notLoggedIn`. */
  async read(call: FastifyRequest): Promise<LiveSession> {
    const session = await this.find(call);
    if (session === null) throw new GatewayError('notLoggedIn', 'There is no live console session.');
    return session;
  }

  /**
   * As {@link read}, for a call that changes something.
   * @throws GatewayError `notLoggedIn`; `permissionDenied` for a call that another site made the browser send.
   */
  async write(call: FastifyRequest): Promise<LiveSession> {
    refuseForeignOrigin(call, this.baseUrl);
    const session = await this.read(call);
    requireCsrfToken(call, session);
    return session;
  }
}

/**
 * The token comes in a form's field, or in the header that only a script of our own pages can send.
 * @throws GatewayError `permissionDenied`.
 */
export function requireCsrfToken({ headers, body }: FastifyRequest, { secret }: LiveSession): void {
  const inForm = (body as Record<string, unknown> | null | undefined)?.[CSRF_FIELD];
  if (isCsrfTokenOf(secret, String(headers['x-csrf-token'] ?? inForm ?? ''))) return;
  if (inForm !== undefined) throw staleForm();
  throw new GatewayError('permissionDenied', 'A write by cookie needs the session’s CSRF token.', {
    param: 'X-CSRF-Token',
  });
}
