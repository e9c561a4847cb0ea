import { type components } from '../../api/generated/management';
import { every } from '../../browser/every';

export type Integration = components['schemas']['Integration'];
export type NewIntegration = components['schemas']['NewIntegration'];
export type IntegrationChange = components['schemas']['IntegrationChange'];
export type Delivery = components['schemas']['IntegrationDelivery'];
export type Kind = Integration['kind'];

export const kinds = every<Kind>()('slack', 'discord', 'teams', 'pagerduty', 'email', 'otlp');

/** Whose whole URL is a secret, of which the origin alone is shown. */
export const isChat = (kind: Kind): boolean => kind === 'slack' || kind === 'discord' || kind === 'teams';

/** Events that a new integration is told of by default (docs/reference/integrations.md#what-is-sent). */
export const defaultEventTypes: readonly string[] = [
  'alert.*',
  'incident.*',
  'budget.*',
  'payment.failed',
  'approval.requested',
];
