import { matchesSubscription } from '@svc/events';
import { type MessageKind } from '../configuration/integration-kinds';

/** The default event types of a new integration (docs/reference/integrations.md#what-is-sent). */
export const DEFAULT_EVENT_TYPES: readonly string[] = [
  'alert.*',
  'incident.*',
  'budget.*',
  'payment.failed',
  'approval.requested',
];

/** Each opens or ends something. PagerDuty has a form for nothing else. */
const PAGED: ReadonlySet<string> = new Set([
  'alert.fired',
  'alert.resolved',
  'alert.test',
  'incident.opened',
  'incident.resolved',
  'integration.test',
]);

/** True where an integration gets an event: it subscribes to it, and its service has a form for it. */
export const isSentTo = (kind: MessageKind, eventTypes: readonly string[], type: string): boolean =>
  matchesSubscription(eventTypes, type) && (kind !== 'pagerduty' || PAGED.has(type));
