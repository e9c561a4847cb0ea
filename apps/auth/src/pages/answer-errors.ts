import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { errorHeaders, GatewayError } from '@svc/kernel';
import { explainFailure } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { LOGGER } from '../runtime';
import { messagePage } from './message-page';
import { sendPage } from './page';

const titles: Readonly<Record<number, string>> = {
  400: 'That could not be read',
  401: 'You are not logged in',
  403: 'That was not allowed',
  404: 'Nothing here',
  429: 'Too many attempts',
  503: 'Please try again in a moment',
};

/** Answers what a controller throws: people get a page, programs the server's own error envelope. */
@Catch()
export class AnswerErrors implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const call = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = GatewayError.from(explainFailure(thrown));
    if (!wantsPage(call)) {
      void reply.send(error);
      return;
    }
    const { status } = error.definition;
    if (status >= 500) this.logger.error({ request_id: call.id, err: error.cause ?? error }, error.message);
    const page = messagePage(titles[status] ?? 'Something went wrong', error.message, call.id);
    sendPage(reply.headers(errorHeaders(error)), status, page);
  }
}

/** Browsers accept HTML when they navigate; scripts and clients do not. */
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html');
