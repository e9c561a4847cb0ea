import { randomBytes } from 'node:crypto';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { csrfTokenFor, isCsrfTokenOf } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { refuseForeignOrigin } from './browser-origin';
import { type Cookies } from './cookies';

export const CSRF_FIELD = 'csrf_token';
const ENTROPY_BYTES = 32;
const SECRET_FORM = /^[\w-]{43}$/;

/**
 * Ties a form that needs no session to the browser that it was shown to, by a cookie and a field derived from it.
 * Without it, another site could log a visitor in as somebody else and watch what they do there (login CSRF).
 */
export class FormSeal {
  constructor(
    private readonly cookies: Cookies,
    private readonly baseUrl: string,
  ) {}

  /** @throws GatewayError `permissionDenied` for a call that a page of another site sent. */
  refuseForeignOrigin(call: FastifyRequest): void {
    refuseForeignOrigin(call, this.baseUrl);
  }

  /** The value of the form's {@link CSRF_FIELD}. Forms in several tabs share one cookie. */
  issue(call: FastifyRequest, reply: FastifyReply): string {
    const known = this.secretOf(call);
    const secret = known ?? randomBytes(ENTROPY_BYTES).toString('base64url');
    if (known === null) this.cookies.set(reply, this.cookieName, secret);
    return csrfTokenFor(secret);
  }

  /** @throws GatewayError `permissionDenied` for a form that this browser was not shown. */
  check(call: FastifyRequest, field: string): void {
    const secret = this.secretOf(call);
    if (secret === null || !isCsrfTokenOf(secret, field)) throw staleForm();
  }

  private secretOf(call: FastifyRequest): string | null {
    const secret = this.cookies.read(call, this.cookieName);
    return secret !== null && SECRET_FORM.test(secret) ? secret : null;
  }

  private get cookieName(): string {
    return this.cookies.ownName('svc_form');
  }
}

export const staleForm = (): GatewayError =>
  new GatewayError(
    'permissionDenied',
    'This form is out of date, or cookies are turned off. Open the page again.',
    { param: CSRF_FIELD },
  );
