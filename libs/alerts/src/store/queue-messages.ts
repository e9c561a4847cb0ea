import { type Transaction } from '@svc/database';
import { isSentTo, renderMessage, type IntegrationNotice } from '@svc/deliveries';
import {
  messageIntegrationsOf,
  queueIntegrationDeliveries,
  type SubscribedIntegration,
} from '@svc/deliveries/store';
import { type JsonValue } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type AlertRuleRecord } from './alert-rule-record';

/** A message to integrations about an alert. */
export interface AlertMessage {
  readonly rule: Pick<AlertRuleRecord, 'organizationId' | 'notifyIntegrationIds'>;
  readonly alertId: string;
  /** Of the event `alert.fired`, so that nobody is told twice; of its own for the end, of which there is no event. */
  readonly notice: IntegrationNotice;
}

/** The end of an alert goes to whom its beginning went. */
const SUBSCRIBED_TO = 'alert.fired';

/**
 * Queues a message to each integration that a rule names or that subscribes to `alert.fired`, to each once, in the
 * transaction of what it tells. Paused and disabled ones are included: theirs wait.
 */
export async function queueAlertMessages(tx: Transaction, messages: readonly AlertMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const organizationIds = new Set(messages.map(({ rule }) => rule.organizationId));
  const integrations = Map.groupBy(
    await messageIntegrationsOf(tx, [...organizationIds]),
    ({ organizationId }) => organizationId,
  );
  const queued = messages.flatMap((message) =>
    (integrations.get(message.rule.organizationId) ?? [])
      .filter(
        ({ id, kind, eventTypes }) =>
          message.rule.notifyIntegrationIds.includes(id) || isSentTo(kind, eventTypes, SUBSCRIBED_TO),
      )
      .map((integration) => deliveryOf(integration, message.notice, message.alertId)),
  );
  await queueIntegrationDeliveries(tx, queued);
}

/** Queues a test of a rule to the integrations that it names. @returns the ids of the deliveries. */
export async function queueTestMessages(
  tx: Transaction,
  rule: AlertRuleRecord,
  at: Date,
): Promise<readonly string[]> {
  if (rule.notifyIntegrationIds.length === 0) return [];
  const notice = {
    id: systemIds('event'),
    type: 'alert.test',
    createdAt: at.toISOString(),
    data: watchedOf(rule),
  };
  const named = (await messageIntegrationsOf(tx, [rule.organizationId])).filter(({ id }) =>
    rule.notifyIntegrationIds.includes(id),
  );
  return queueIntegrationDeliveries(
    tx,
    named.map((integration) => deliveryOf(integration, notice, null)),
  );
}

/** The target of a rule, named as its event names it. */
export const watchedOf = (
  rule: Pick<AlertRuleRecord, 'id' | 'name' | 'metric' | 'severity' | 'threshold' | 'filter'>,
): Readonly<Record<string, JsonValue>> => ({
  alert_rule_id: rule.id,
  name: rule.name,
  metric: rule.metric,
  severity: rule.severity,
  threshold: Number(rule.threshold),
  filter: rule.filter,
});

const deliveryOf = (
  { id: integrationId, organizationId, kind }: SubscribedIntegration,
  notice: IntegrationNotice,
  alertId: string | null,
) => ({
  id: systemIds('webhookDelivery'),
  organizationId,
  integrationId,
  eventId: notice.id,
  eventType: notice.type,
  body: renderMessage(kind, notice),
  alertId,
});
