import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validated } from '@svc/api';
import { type InvitationRecord, UserStore } from '@svc/access/store';
import { clientAddressOf } from '@svc/http';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { ConsoleSessions, type LiveSession } from '../session/console-sessions';
import { CSRF_FIELD, FormSeal } from '../session/form-seal';
import { CONSOLE_PATH } from '../session/login-pages';
import { hashPassword, passwordProblem } from '../session/password';
import { PasswordLogin } from '../session/password-login';
import { closedInvitationPage, invitationPage, mailedLinkPage, type AcceptBy } from './invitation-pages';
import { type Accepting, Invitations } from './invitations';

const acceptForm = z.strictObject({
  [CSRF_FIELD]: z.string(),
  /** For password managers only: the invitation identifies the user. */
  email: z.string().optional(),
  password: z.string().default(''),
  repeated_password: z.string().default(''),
});

type AcceptForm = z.output<typeof acceptForm>;

/** A visit with the secret of an open invitation. */
interface Visit {
  readonly call: FastifyRequest;
  readonly reply: FastifyReply;
  readonly invitation: InvitationRecord;
  readonly session: LiveSession | null;
}

/** Where an invitee becomes a member (docs/reference/sessions-and-members.md#invitations). */
@Controller('auth/invitations')
@UseFilters(AnswerErrors)
export class InvitationController {
  constructor(
    private readonly invitations: Invitations,
    private readonly users: UserStore,
    private readonly sessions: ConsoleSessions,
    private readonly logins: PasswordLogin,
    private readonly seal: FormSeal,
  ) {}

  @Get(':secret')
  async show(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    const visit = await this.receive(call, reply, secret);
    if (visit !== null) await this.ask(visit, null);
  }

  @Post(':secret')
  async accept(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    this.seal.refuseForeignOrigin(call);
    const form = validated(acceptForm, call.body);
    this.seal.check(call, form[CSRF_FIELD]);
    const visit = await this.receive(call, reply, secret);
    if (visit === null) return;
    const accepting = await this.identify(visit, form);
    if (accepting === null) sendPage(reply, 403, mailedLinkPage);
    else if (typeof accepting === 'string') await this.ask(visit, accepting);
    else await this.admit(visit, accepting);
  }

  /** Returns null where it has sent the answer: there is no open invitation. */
  private async receive(call: FastifyRequest, reply: FastifyReply, secret: string): Promise<Visit | null> {
    const invitation = await this.invitations.find(secret);
    if (invitation !== null && this.invitations.isOpen(invitation)) {
      return { call, reply, invitation, session: await this.sessions.read(call) };
    }
    sendPage(reply, invitation === null ? 404 : 410, closedInvitationPage);
    return null;
  }

  private async ask(visit: Visit, problem: string | null): Promise<void> {
    const { call, reply, invitation } = visit;
    const acceptBy = await this.wayToAccept(visit);
    const csrfToken = this.seal.issue(call, reply);
    const page = invitationPage({ invitation, action: call.url, acceptBy, csrfToken, problem });
    sendPage(reply, problem === null ? 200 : 400, page);
  }

  /**
   * @returns the problem to show, where the form identifies nobody; null for an account without a password, whose first one
   * this link may not set.
   */
  private async identify(
    visit: Visit,
    { password, repeated_password: repeated }: AcceptForm,
  ): Promise<Accepting | string | null> {
    const { invitation, session } = visit;
    const acceptBy = await this.wayToAccept(visit);
    if (acceptBy === 'session' && session !== null)
      return { userId: session.userId, passwordHash: null, claims: false };
    if (acceptBy === 'new_password' || acceptBy === 'first_password') {
      const problem = passwordProblem(password, repeated);
      const claims = acceptBy === 'first_password';
      return problem ?? { userId: null, passwordHash: await hashPassword(password), claims };
    }
    const isNew = repeated !== '' || password === '';
    if (acceptBy === 'unknown' && isNew) {
      // Judged before the account is looked for: the answer is the same with one.
      const problem = passwordProblem(password, repeated);
      if (problem !== null) return problem;
      const user = await this.users.findByEmail(invitation.email);
      if (user === null) return { userId: null, passwordHash: await hashPassword(password), claims: false };
      if (user.passwordHash === null) return null;
    }
    return this.logIn(visit, password);
  }

  private async logIn({ call, invitation }: Visit, password: string): Promise<Accepting | string> {
    const login = { email: invitation.email, password, address: clientAddressOf(call), requestId: call.id };
    const user = await this.logins.judge(login);
    if (user === null) return 'The password is wrong.';
    return { userId: user.id, passwordHash: user.passwordHash, claims: false };
  }

  private async admit({ call, reply, invitation, session }: Visit, accepting: Accepting): Promise<void> {
    const userId = await this.invitations.accept(invitation, accepting, call.id);
    if (userId === null) {
      sendPage(reply, 410, closedInvitationPage);
      return;
    }
    const { passwordHash } = accepting;
    if (session?.userId !== userId) await this.sessions.begin(call, reply, { id: userId, passwordHash });
    sendSeeOther(reply, CONSOLE_PATH);
  }

  private async wayToAccept({ invitation, session }: Visit): Promise<AcceptBy> {
    const { email, mailed, isOfOperator } = invitation;
    if (session?.email === email) return 'session';
    const user = await this.users.findByEmail(email);
    const isWithoutPassword = user?.passwordHash === null;
    if (isWithoutPassword && (await this.invitations.mayClaim(invitation, user.id))) return 'first_password';
    if (!mailed && (!isOfOperator || isWithoutPassword)) return 'unknown';
    return user === null ? 'new_password' : 'password';
  }
}
