import { type GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/runtime/observability';
import { type ClientReply } from '../../call/client-reply';

/** Answers with an error. The cause of a 5xx is only logged. */
export function answerError(reply: ClientReply, error: GatewayError, logger: Logger): void {
  if (error.definition.status >= 500)
    logger.error({ request_id: reply.requestId, err: error.cause ?? error }, error.message);
  reply.sendError(error);
}
