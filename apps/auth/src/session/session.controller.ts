import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csrfTokenFor, isCsrfTokenOf } from '@svc/identity';
import { GatewayError } from '@svc/kernel';
import { validated } from '@svc/platform/api';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { BASE_URL } from '../runtime';
import { refuseForeignOrigin } from './browser-origin';
import { ConsoleSessions, type LiveSession } from './console-sessions';
import { CSRF_FIELD, FormSeal, staleForm } from './form-seal';
import { PasswordLogin } from './password-login';
import { EMAIL_MAX, loggedInPage, LOGIN_PATH, loginPage } from './login-pages';
import { PASSWORD_MAX } from './password';
import { safeReturnPath } from './return-path';

const WRONG_LOGIN = 'The e-mail address or the password is wrong.';

const email = z.string().trim().toLowerCase().max(EMAIL_MAX);
const password = z.string().max(PASSWORD_MAX);
const jsonLogin = z.strictObject({ email: email.pipe(z.email()), password });
const loginForm = z.strictObject({
  email,
  password,
  [CSRF_FIELD]: z.string(),
  return_to: z.string().optional(),
});
const logoutForm = z.strictObject({ [CSRF_FIELD]: z.string().optional() });

/** Login and logout, for browsers by form and for programs by JSON (contract.md section 7, Sessions). */
@Controller('auth')
@UseFilters(AnswerErrors)
export class SessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly logins: PasswordLogin,
    private readonly seal: FormSeal,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Get('login')
  async show(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { return_to: asked } = call.query as { return_to?: unknown };
    const returnTo = safeReturnPath(asked);
    const session = await this.sessions.read(call);
    if (session === null) this.askToLogIn(call, reply, { returnTo, email: '', problem: null });
    else if (returnTo === null) sendPage(reply, 200, loggedInPage(session));
    else sendSeeOther(reply, returnTo);
  }

  @Post('login')
  async logIn(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseForeignOrigin(call, this.baseUrl);
    await (isForm(call) ? this.logInByForm(call, reply) : this.logInByJson(call, reply));
  }

  @Post('logout')
  async logOut(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseForeignOrigin(call, this.baseUrl);
    const session = await this.sessions.read(call);
    if (session !== null) {
      const given = call.headers['x-csrf-token'] ?? validated(logoutForm, call.body ?? {})[CSRF_FIELD] ?? '';
      if (!isCsrfTokenOf(session.secret, String(given))) throw staleForm();
      await this.sessions.end(reply, session);
    }
    if (isForm(call)) sendSeeOther(reply, LOGIN_PATH);
    else void reply.code(204).send();
  }

  @Get('session')
  async describe(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.read(call);
    if (session === null) throw new GatewayError('notLoggedIn', 'There is no live console session.');
    sendSession(reply, session);
  }

  private async logInByForm(call: FastifyRequest, reply: FastifyReply): Promise<void> {
    const form = validated(loginForm, call.body);
    this.seal.check(call, form[CSRF_FIELD]);
    const returnTo = safeReturnPath(form.return_to);
    const session = await this.begin(call, reply, form);
    if (session !== null) sendSeeOther(reply, returnTo ?? LOGIN_PATH);
    else this.askToLogIn(call, reply, { returnTo, email: form.email, problem: WRONG_LOGIN });
  }

  /** No form of another site can send JSON, and no script of one may. */
  private async logInByJson(call: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = await this.begin(call, reply, validated(jsonLogin, call.body));
    if (session === null) throw new GatewayError('invalidLogin', WRONG_LOGIN);
    sendSession(reply, session);
  }

  private async begin(
    call: FastifyRequest,
    reply: FastifyReply,
    given: { readonly email: string; readonly password: string },
  ): Promise<LiveSession | null> {
    // A text that is no address is nobody's: the database need not read it.
    if (!z.email().safeParse(given.email).success) return null;
    const user = await this.logins.judge({ ...given, address: call.ip, requestId: call.id });
    return user && (await this.sessions.begin(call, reply, user.id));
  }

  private askToLogIn(
    call: FastifyRequest,
    reply: FastifyReply,
    form: { readonly returnTo: string | null; readonly email: string; readonly problem: string | null },
  ): void {
    const csrfToken = this.seal.issue(call, reply);
    sendPage(reply, form.problem === null ? 200 : 401, loginPage({ ...form, csrfToken }));
  }
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;

function sendSession(reply: FastifyReply, { userId, email, memberships, secret }: LiveSession): void {
  void reply
    .code(200)
    .header('cache-control', 'no-store')
    .send({
      user: { id: userId, email },
      organizations: memberships.map(({ organizationId, organizationName, role }) => ({
        id: organizationId,
        name: organizationName,
        role,
      })),
      csrf_token: csrfTokenFor(secret),
    });
}
