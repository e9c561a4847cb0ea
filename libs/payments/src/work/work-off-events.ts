import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { lookUpAgainMs } from '../rules/look-up-again';
import { type PaymentProvider } from '../rules/provider';
import { type ProviderEventStore, type WaitingEvent } from '../store/provider-event-store';

const EVENTS_AT_ONCE = 500;
const UNMATCHED_AT_ONCE = 20;

interface EventWork {
  readonly events: Pick<ProviderEventStore, 'nudge' | 'listUnmatched' | 'match' | 'postpone' | 'giveUp'>;
  readonly provider: Pick<PaymentProvider, 'paymentIdOf'>;
  readonly logger: Logger;
  /** Counts events that were given up. */
  readonly givenUp: Pick<Counter, 'inc'>;
}

export const givenUpEvents = (metrics: Registry): Counter =>
  new Counter({
    name: 'svc_payment_events_given_up_total',
    help: 'Events of the payment provider that could not be looked up for a day.',
    registers: [metrics],
  });

/**
 * Makes the payments due that stored events name. An event that names none, such as that of a dispute, is looked up at the
 * provider. One that cannot be looked up delays no other: it is looked up again later, and given up after a day.
 */
export async function workOffEvents(work: EventWork): Promise<{ readonly more: boolean }> {
  const { events, logger } = work;
  const nudged = await events.nudge(EVENTS_AT_ONCE);
  const unmatched = await events.listUnmatched(UNMATCHED_AT_ONCE);
  const failures = (await Promise.all(unmatched.map((event) => lookUp(work, event)))).filter(
    (failure) => failure !== null,
  );
  if (failures.length > 0) {
    const [first] = failures;
    logger.warn({ err: first, events: failures.length }, 'payment events not looked up: tried again later');
  }
  return { more: nudged === EVENTS_AT_ONCE || unmatched.length === UNMATCHED_AT_ONCE };
}

/** @returns why it could not be looked up; null where it was, or was given up. */
async function lookUp(work: EventWork, event: WaitingEvent): Promise<unknown> {
  const { events, provider } = work;
  const { id, intentReference } = event;
  try {
    await events.match(id, intentReference === null ? null : await provider.paymentIdOf(intentReference));
    return null;
  } catch (error) {
    const againMs = lookUpAgainMs(event);
    if (againMs === null) await giveUp(work, event, error);
    else await events.postpone(id, againMs);
    return againMs === null ? null : error;
  }
}

async function giveUp(
  { events, logger, givenUp }: EventWork,
  { id, type, tries }: WaitingEvent,
  error: unknown,
): Promise<void> {
  if (!(await events.giveUp(id))) return;
  givenUp.inc();
  logger.error({ event_id: id, event_type: type, tries, err: error }, 'payment event given up');
}
