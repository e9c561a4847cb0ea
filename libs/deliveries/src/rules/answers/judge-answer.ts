import { outcomeOf, type DeliveryOutcome } from '@svc/events';
import { type IntegrationKind } from '../configuration/integration-kinds';

/** The answer of a service to a message; the status is null without an answer. */
interface IntegrationAnswer {
  readonly statusCode: number | null;
  /** The header's text; null without one. */
  readonly retryAfter: string | null;
}

interface JudgedAnswer {
  readonly outcome: Exclude<DeliveryOutcome, 'worker_lost'>;
  /** True where trying again cannot help. */
  readonly isFinal: boolean;
  /** The least time until the next try. Null: as the schedule has it. */
  readonly retryAfterSeconds: number | null;
}

/** A longer wait that a service asks for is not obeyed beyond this. */
export const RETRY_AFTER_MAX_SECONDS = 3_600;

/** A message that is refused for what it is, and a channel that is gone. */
const finalAnswers: Readonly<Record<IntegrationKind, readonly number[]>> = {
  slack: [404, 410],
  discord: [404, 410],
  teams: [404, 410],
  pagerduty: [400],
  email: [],
  otlp: [],
};

/** The verdict on an answer (docs/reference/integrations.md#answers). @param nowMs Unix milliseconds. */
export function judgeAnswer(
  kind: IntegrationKind,
  { statusCode, retryAfter }: IntegrationAnswer,
  nowMs: number,
): JudgedAnswer {
  const outcome = outcomeOf(statusCode) === 'acknowledged' ? 'acknowledged' : 'failed';
  const isFinal = statusCode !== null && finalAnswers[kind].includes(statusCode);
  const isRetried = outcome === 'failed' && !isFinal;
  return {
    outcome,
    isFinal,
    retryAfterSeconds: isRetried ? retryAfterSeconds(retryAfter, nowMs) : null,
  };
}

/** A number of seconds or a date (RFC 9110 section 10.2.3), up to an hour. Null for anything else. */
export function retryAfterSeconds(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1_000;
  if (Number.isNaN(seconds)) return null;
  return Math.min(Math.max(Math.ceil(seconds), 0), RETRY_AFTER_MAX_SECONDS);
}
