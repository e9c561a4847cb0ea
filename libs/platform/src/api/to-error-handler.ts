import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply } from 'fastify';

/** Hands whatever a controller throws to the server's own error handler: there is one envelope, whoever throws. */
@Catch()
export class ToErrorHandler implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    void host.switchToHttp().getResponse<FastifyReply>().send(error);
  }
}
