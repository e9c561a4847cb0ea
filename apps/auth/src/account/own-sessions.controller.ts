import { Controller, Delete, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { presentTime } from '@svc/api';
import { GatewayError } from '@svc/kernel';
import { AnswerErrors } from '../pages/answer-errors';
import { sendSeeOther } from '../pages/page';
import { isForm } from '../session/is-form';
import { OwnSession } from '../session/own-session';
import { accountPathAfter } from './account-page';
import { UserSessions, type ShownSession } from './user-sessions';

/**
 * The caller's own sessions, for the page's forms and for programs
 * (docs/reference/sessions-and-members.md#own-sessions).
 */
@Controller('auth/sessions')
@UseFilters(AnswerErrors)
export class OwnSessionsController {
  constructor(
    private readonly own: OwnSession,
    private readonly sessions: UserSessions,
  ) {}

  @Get()
  async list(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const sessions = await this.sessions.list(await this.own.read(call));
    void reply.header('cache-control', 'no-store').send({ data: sessions.map(presentSession) });
  }

  @Delete(':session_id')
  async remove(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('session_id') id: string,
  ): Promise<void> {
    if (!(await this.sessions.end(await this.own.write(call), id))) {
      throw new GatewayError('notFound', 'There is no such session.');
    }
    void reply.code(204).send();
  }

  /** For the page's form, which cannot send DELETE. A session that has already ended is no error. */
  @Post(':session_id/end')
  async end(
    @Req() call: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('session_id') id: string,
  ): Promise<void> {
    await this.sessions.end(await this.own.write(call), id);
    sendSeeOther(reply, accountPathAfter('session'));
  }

  @Post('end-others')
  async endOthers(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sessions.endOthers(await this.own.write(call));
    if (isForm(call)) sendSeeOther(reply, accountPathAfter('others'));
    else void reply.code(204).send();
  }
}

const presentSession = (session: ShownSession) => ({
  id: session.id,
  created_at: presentTime(session.createdAt),
  last_seen_at: presentTime(session.lastSeenAt),
  expires_at: presentTime(session.expiresAt),
  user_agent: session.userAgent,
  address: session.address,
  current: session.isCurrent,
});
