import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { presentTime, validated } from '@svc/api';
import { csrfTokenFor, permissions, rolePermissions } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { clientAddressOf } from '@svc/http';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { SENDS_MAIL } from '../runtime';
import { isFromProgram } from './browser-origin';
import { ConsoleSessions, type LiveSession } from './console-sessions';
import { CSRF_FIELD, FormSeal } from './form-seal';
import { isForm } from './is-form';
import { CONSOLE_PATH, loggedInPage, LOGIN_PATH, loginPage, PASSWORD_CHANGED } from './login-pages';
import { requireCsrfToken } from './own-session';
import { PasswordLogin } from './password-login';
import { PASSWORD_MAX } from './password';
import { safeReturnPath } from './return-path';
import { typedEmail as email } from './typed-email';

const WRONG_LOGIN = 'The e-mail address or the password is wrong.';

const password = z.string().max(PASSWORD_MAX);
const jsonLogin = z.strictObject({ email: email.pipe(z.email()), password });
const loginForm = z.strictObject({
  email,
  password,
  [CSRF_FIELD]: z.string().optional(),
  return_to: z.string().optional(),
});
const logoutForm = z.strictObject({ [CSRF_FIELD]: z.string().optional() });

/** Login and logout, for browsers by form and for programs by JSON (docs/reference/sessions-and-members.md#logging-in). */
@Controller('auth')
@UseFilters(AnswerErrors)
export class SessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly logins: PasswordLogin,
    private readonly seal: FormSeal,
    @Inject(SENDS_MAIL) private readonly sendsMail: boolean,
  ) {}

  @Get('login')
  async show(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { return_to: asked, [PASSWORD_CHANGED]: changed } = call.query as Record<string, unknown>;
    const returnTo = safeReturnPath(asked);
    const session = await this.sessions.read(call);
    if (session === null)
      this.askToLogIn(call, reply, { returnTo, email: '', problem: null }, changed !== undefined);
    else if (returnTo === null) sendPage(reply, 200, loggedInPage(session));
    else sendSeeOther(reply, returnTo);
  }

  @Post('login')
  async logIn(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.seal.refuseForeignOrigin(call);
    await (isForm(call) ? this.logInByForm(call, reply) : this.logInByJson(call, reply));
  }

  @Post('logout')
  async logOut(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.seal.refuseForeignOrigin(call);
    const session = await this.sessions.read(call);
    if (session !== null) {
      validated(logoutForm, call.body ?? {});
      requireCsrfToken(call, session);
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
    const { [CSRF_FIELD]: field } = form;
    if (field !== undefined || !isFromProgram(call)) this.seal.check(call, field ?? '');
    const returnTo = safeReturnPath(form.return_to);
    const session = await this.begin(call, reply, form);
    if (session !== null) sendSeeOther(reply, returnTo ?? CONSOLE_PATH);
    else this.askToLogIn(call, reply, { returnTo, email: form.email, problem: WRONG_LOGIN });
  }

  /** Another site's forms cannot send JSON, and its scripts may not. */
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
    // A text that is no address has no account, so the database is not queried.
    if (!z.email().safeParse(given.email).success) return null;
    const user = await this.logins.judge({ ...given, address: clientAddressOf(call), requestId: call.id });
    return user && (await this.sessions.begin(call, reply, user));
  }

  private askToLogIn(
    call: FastifyRequest,
    reply: FastifyReply,
    form: { readonly returnTo: string | null; readonly email: string; readonly problem: string | null },
    hasNewPassword = false,
  ): void {
    const csrfToken = this.seal.issue(call, reply);
    const page = loginPage({ ...form, csrfToken, hasNewPassword, canReset: this.sendsMail });
    sendPage(reply, form.problem === null ? 200 : 401, page);
  }
}

function sendSession(
  reply: FastifyReply,
  { userId, email, memberships, expiresAt, secret }: LiveSession,
): void {
  void reply
    .code(200)
    .header('cache-control', 'no-store')
    .send({
      user: { id: userId, email },
      organizations: memberships.map(({ role, ...membership }) => ({
        id: membership.organizationId,
        name: membership.organizationName,
        state: membership.organizationState,
        role,
        permissions: permissions.filter((permission) => rolePermissions[role].has(permission)),
        member_id: membership.memberId,
      })),
      expires_at: presentTime(expiresAt),
      csrf_token: csrfTokenFor(secret),
    });
}
