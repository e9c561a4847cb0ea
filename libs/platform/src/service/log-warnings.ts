import { type Logger } from '@svc/runtime/observability';

/** Has the warnings of Node.js logged as all else is, in place of its own lines on standard error. */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    logger.warn({ err: warning }, 'Node.js warns');
  });
}
