import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ClientRefused } from './client-authenticator';

/** Hands errors to the server's own error handler, and adds `WWW-Authenticate` for refused Basic credentials. */
@Catch()
export class AnswerOauthErrors implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (!(thrown instanceof ClientRefused)) {
      void reply.send(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return;
    }
    const { answer, method } = thrown;
    if (method === 'basic' && answer.definition.status === 401) {
      void reply.header('www-authenticate', 'Basic realm="Svc", charset="UTF-8"');
    }
    void reply.send(answer);
  }
}
