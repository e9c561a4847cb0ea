import { type LoggerService } from '@nestjs/common';
import { type Logger } from '@svc/runtime/observability';

/** Nest's log in the same format. Its start-up messages are debug. */
export function nestLogger(logger: Logger): LoggerService {
  const say =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...context: unknown[]) => {
      logger[level](
        { context: context.at(-1) },
        message instanceof Error ? message.message : String(message),
      );
    };
  return {
    log: say('debug'),
    debug: say('debug'),
    verbose: say('debug'),
    warn: say('warn'),
    error: say('error'),
  };
}
