import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validated } from '@svc/api';
import { GatewayError } from '@svc/kernel';
import { clientAddressOf } from '@svc/http';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { ConsoleSessions, type LiveSession } from '../session/console-sessions';
import { CSRF_FIELD } from '../session/form-seal';
import { isForm } from '../session/is-form';
import { ACCOUNT_PATH, LOGIN_PATH } from '../session/login-pages';
import { OwnSession } from '../session/own-session';
import { accountPage, accountPathAfter, type Said } from './account-page';
import { PasswordChange } from './password-change';
import { UserSessions } from './user-sessions';

const jsonChange = z.strictObject({ current_password: z.string(), new_password: z.string() });
const changeForm = jsonChange.extend({
  [CSRF_FIELD]: z.string(),
  /** For password managers only: the session identifies the user. */
  email: z.string().optional(),
  repeated_password: z.string(),
});

/** The account of the logged-in user (docs/reference/sessions-and-members.md#passwords). */
@Controller('auth')
@UseFilters(AnswerErrors)
export class AccountController {
  constructor(
    private readonly own: OwnSession,
    private readonly sessions: ConsoleSessions,
    private readonly userSessions: UserSessions,
    private readonly passwords: PasswordChange,
  ) {}

  @Get('account')
  async show(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.own.find(call);
    const { done } = call.query as { done?: unknown };
    if (session === null) sendSeeOther(reply, `${LOGIN_PATH}?return_to=${ACCOUNT_PATH}`);
    else await this.sendAccount(reply, 200, session, { done });
  }

  /** A new session begins here too, so that a copied cookie of the old session is useless. */
  @Post('password')
  async changePassword(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.own.write(call);
    const asked = isForm(call)
      ? validated(changeForm, call.body)
      : repeated(validated(jsonChange, call.body));
    const outcome = await this.passwords.run({
      email: session.email,
      current: asked.current_password,
      next: asked.new_password,
      repeated: asked.repeated_password,
      address: clientAddressOf(call),
      requestId: call.id,
    });
    if ('field' in outcome) {
      const { field: param, problem } = outcome;
      const isGuess = param === 'current_password';
      if (!isForm(call))
        throw new GatewayError(isGuess ? 'invalidLogin' : 'invalidRequest', problem, { param });
      await this.sendAccount(reply, isGuess ? 401 : 400, session, { problems: { [param]: problem } });
      return;
    }
    await this.sessions.begin(call, reply, outcome.user);
    if (isForm(call)) sendSeeOther(reply, accountPathAfter('password'));
    else void reply.code(204).send();
  }

  private async sendAccount(
    reply: FastifyReply,
    status: number,
    session: LiveSession,
    said: Said,
  ): Promise<void> {
    const { email, secret } = session;
    const account = { email, sessionSecret: secret, sessions: await this.userSessions.list(session) };
    sendPage(reply, status, accountPage(account, said));
  }
}

/** Programs send the new password once, because they do not mistype. */
const repeated = (asked: z.output<typeof jsonChange>) => ({
  ...asked,
  repeated_password: asked.new_password,
});
