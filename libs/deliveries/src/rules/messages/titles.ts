import { eventCatalogue, type EventType } from '@svc/events';
import { type JsonValue } from '@svc/kernel';
import { type IntegrationNotice } from './notice';

/** The title of an event, in one line. */
export function describedTitle({ type, data }: IntegrationNotice): string {
  const name = firstText(data.name, data.title, data.action) ?? '';
  const severity = firstText(data.severity) ?? '';
  switch (type) {
    case 'alert.fired':
      return `${data.repeat === 0 ? 'Firing' : 'Still firing'}: ${name} (${severity})`;
    case 'alert.resolved':
      return `Resolved: ${name} (${severity})`;
    case 'alert.test':
      return `[test] ${name} (${severity})`;
    case 'incident.opened':
      return `Incident: ${name} (${severity})`;
    case 'incident.updated':
      return `Incident ${firstText(data.state) ?? 'updated'}: ${name} (${severity})`;
    case 'incident.resolved':
      return `Incident resolved: ${name} (${severity})`;
    case 'budget.threshold_crossed':
      return `Budget nearly spent: ${name}`;
    case 'budget.exceeded':
      return `Budget exceeded: ${name}`;
    case 'payment.failed':
      return 'Payment failed';
    case 'approval.requested':
      return `Approval requested: ${name}`;
    case 'approval.decided':
      return `Approval request decided: ${name}`;
    case 'api_key.created':
      return `API key created: ${name}`;
    case 'api_key.revoked':
      return `API key revoked: ${name}`;
    case 'api_key.address_refused':
      return `API key used from an address that its policy does not allow: ${name}`;
    case 'rollout.aborted':
      return `Rollout aborted: ${name}`;
    case 'rollout.completed':
      return `Rollout completed: ${name}`;
    case 'integration.test':
      return `[test] This is a test of the integration "${name}"`;
    default:
      return credentialTitle(type, firstText(data.label) ?? '') ?? capital(descriptionOf(type));
  }
}

const credentials: Readonly<Record<string, string>> = {
  'credential.created': 'added',
  'credential.rotated': 'rotated',
  'credential.revoked': 'revoked permanently',
  'credential.disabled': 'disabled',
  'credential.enabled': 'enabled',
  'credential.compromised': 'marked as compromised',
};

function credentialTitle(type: string, label: string): string | null {
  const done = Object.hasOwn(credentials, type) ? credentials[type] : undefined;
  return done === undefined ? null : `Provider credential ${done}: ${label}`;
}

const descriptionOf = (type: string): string =>
  Object.hasOwn(eventCatalogue, type) ? eventCatalogue[type as EventType].description : type;

export const firstText = (...values: readonly (JsonValue | undefined)[]): string | null =>
  values.find((value) => typeof value === 'string') ?? null;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
