import pino, { type DestinationStream, type Logger } from 'pino';
import { standardOutput } from './standard-output';
import { timeField } from './time-field';

export { type Logger } from 'pino';

const CAUSES_MAX = 8;

/**
 * Logs JSON lines to stdout. Callers choose each field, and never log bodies, prompts, outputs or credentials, so
 * nothing needs redaction here (docs/configuration.md#logs).
 */
export function createLogger(
  options: { service: string; level: string },
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino(
    {
      base: { service: options.service },
      level: options.level,
      timestamp: timeField,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => causeChain(error, CAUSES_MAX) },
    },
    destination,
  );
}

/** An error with its causes, each with name, message and stack. */
function causeChain(error: unknown, causesLeft: number): unknown {
  if (!(error instanceof Error)) return { message: typeof error };
  const { name, message, stack, cause } = error;
  const hasMore = cause !== undefined && causesLeft > 0;
  return { name, message, stack, ...(hasMore ? { cause: causeChain(cause, causesLeft - 1) } : {}) };
}
