import { type Logger } from '../observability';

/**
 * Logs what Node.js would print on standard error: its warnings, and rejections that nothing handled. Such a rejection does
 * not end the process, because that would cut the stream of every caller (docs/decisions/0060). An uncaught exception does.
 */
export function logProcessEvents(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    logger.warn({ err: warning }, 'Node.js warns');
  });
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'a rejection was not handled');
  });
}
