import { type EndedAttempt, type LeasedDelivery, type SettledDelivery } from '@svc/deliveries/store';

/** How an attempt ended, without its delivery. */
export type AttemptEnd = Omit<EndedAttempt, 'delivery'>;

/** How the deliveries to one sort of receivers are sent. The rest of an attempt is the same for all. */
export interface DeliveryChannel<Leased extends LeasedDelivery, Claimed extends Leased> {
  /** Begins the lines of the log: `webhook attempt`. */
  readonly noun: 'webhook' | 'integration';
  /** Names fields of those lines: `endpoint_id`. */
  readonly receiver: 'endpoint' | 'integration';
  /** Renders and completes the call, makes it, and judges the answer. What it throws is our fault. */
  send(delivery: Claimed): Promise<AttemptEnd>;
  /** More fields of the lines. */
  fieldsOf(delivery: Leased): Readonly<Record<string, unknown>>;
  /** Counts an attempt. @param settled null for a void one. */
  observeEnd(attempt: EndedAttempt<Leased>, settled: SettledDelivery | null): void;
}

/** Of an attempt without an answer. */
export const UNANSWERED = { durationMs: null, statusCode: null, responseExcerpt: null } as const;
