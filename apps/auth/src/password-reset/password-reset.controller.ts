import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validated } from '@svc/api';
import { clientAddressOf } from '@svc/http';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { CSRF_FIELD, FormSeal } from '../session/form-seal';
import { LOGIN_PATH, PASSWORD_CHANGED, PASSWORD_RESET_PATH } from '../session/login-pages';
import { hashPassword, passwordProblem } from '../session/password';
import { typedEmail } from '../session/typed-email';
import { FailureThrottle } from '../throttle/failure-throttle';
import { MailThrottle } from '../throttle/mail-throttle';
import { PasswordResetMail } from './password-reset-mail';
import {
  closedResetPage,
  forgottenPasswordPage,
  mailUnderWayPage,
  newPasswordPage,
  noMailPage,
} from './password-reset-pages';
import { PasswordResets } from './password-resets';

const askForm = z.strictObject({ [CSRF_FIELD]: z.string(), email: typedEmail });
const newPasswordForm = z.strictObject({
  [CSRF_FIELD]: z.string(),
  /** For password managers only: the link identifies the user. */
  email: z.string().optional(),
  new_password: z.string(),
  repeated_password: z.string(),
});

/** Where a forgotten password is replaced (docs/reference/sessions-and-members.md#passwords). */
@Controller('auth/password-reset')
@UseFilters(AnswerErrors)
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly mail: PasswordResetMail,
    private readonly mailThrottle: MailThrottle,
    private readonly logins: FailureThrottle,
    private readonly seal: FormSeal,
  ) {}

  @Get()
  show(@Req() call: FastifyRequest, @Res() reply: FastifyReply): void {
    const { sent } = call.query as { sent?: unknown };
    if (!this.mail.isPossible) sendPage(reply, 404, noMailPage);
    else if (sent === undefined) this.askForAddress(call, reply, '', null);
    else sendPage(reply, 200, mailUnderWayPage);
  }

  @Post()
  async ask(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.seal.refuseForeignOrigin(call);
    if (!this.mail.isPossible) {
      sendPage(reply, 404, noMailPage);
      return;
    }
    const { [CSRF_FIELD]: csrfToken, email } = validated(askForm, call.body);
    this.seal.check(call, csrfToken);
    if (!z.email().safeParse(email).success) {
      this.askForAddress(call, reply, email, 'This is no e-mail address.');
      return;
    }
    await this.mailThrottle.count(email, clientAddressOf(call));
    this.mail.begin(email, call.id);
    sendSeeOther(reply, `${PASSWORD_RESET_PATH}?sent=1`);
  }

  @Get(':secret')
  async open(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    const reset = await this.resets.find(secret);
    if (reset === null) sendPage(reply, 404, closedResetPage);
    else this.askForPassword(call, reply, reset.email, null);
  }

  /**
   * Begins no session: otherwise an attacker could send a link of their own account, and watch what the victim does.
   */
  @Post(':secret')
  async set(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    this.seal.refuseForeignOrigin(call);
    const form = validated(newPasswordForm, call.body);
    this.seal.check(call, form[CSRF_FIELD]);
    const reset = await this.resets.find(secret);
    if (reset === null) {
      sendPage(reply, 404, closedResetPage);
      return;
    }
    const problem = passwordProblem(form.new_password, form.repeated_password);
    if (problem !== null) {
      this.askForPassword(call, reply, reset.email, problem);
      return;
    }
    const passwordHash = await hashPassword(form.new_password);
    if (!(await this.resets.use({ secret, email: reset.email, passwordHash, requestId: call.id }))) {
      sendPage(reply, 404, closedResetPage);
      return;
    }
    await this.logins.forget(reset.email, clientAddressOf(call));
    sendSeeOther(reply, `${LOGIN_PATH}?${PASSWORD_CHANGED}=1`);
  }

  private askForAddress(
    call: FastifyRequest,
    reply: FastifyReply,
    email: string,
    problem: string | null,
  ): void {
    const page = forgottenPasswordPage({ email, problem, csrfToken: this.seal.issue(call, reply) });
    sendPage(reply, problem === null ? 200 : 400, page);
  }

  private askForPassword(
    call: FastifyRequest,
    reply: FastifyReply,
    email: string,
    problem: string | null,
  ): void {
    const csrfToken = this.seal.issue(call, reply);
    const page = newPasswordPage({ action: call.url, email, csrfToken, problem });
    sendPage(reply, problem === null ? 200 : 400, page);
  }
}
