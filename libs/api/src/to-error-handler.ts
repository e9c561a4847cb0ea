import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply } from 'fastify';

/** Hands errors of controllers to the server's own error handler, so that all errors have the same envelope. */
@Catch()
export class ToErrorHandler implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    void host.switchToHttp().getResponse<FastifyReply>().send(error);
  }
}
