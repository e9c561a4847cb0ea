import { type Logger } from '../observability';

/**
 * SIGTERM drains: no new work, running streams finish, the ledger and the outbox are flushed
 * (docs/configuration.md#stop).
 */
export function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A second signal must not end the draining early: npm and a terminal may each send one.
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'stopped uncleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}
