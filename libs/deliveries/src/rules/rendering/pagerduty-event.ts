import { type Message } from '../messages/message';
import { type IntegrationNotice } from '../messages/notice';
import { firstText } from '../messages/titles';
import { harmless, shortened } from './harmless-text';

const SUMMARY_MAX = 1_024;

const severities: Readonly<Record<string, 'critical' | 'error' | 'warning' | 'info'>> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  warning: 'warning',
};

/**
 * An event of PagerDuty's Events API v2, without the routing key, which is added when it is sent. What ends an alert or
 * an incident carries the same `dedup_key` as what began it.
 * @see https://developer.pagerduty.com/docs/send-alert-event
 */
export function pagerDutyEvent(notice: IntegrationNotice, { title, facts, link }: Message): object {
  const { id, type, createdAt, data } = notice;
  const dedupKey = type === 'alert.test' ? id : (firstText(data.alert_id, data.incident_id) ?? id);
  const action = { event_action: type.endsWith('.resolved') ? 'resolve' : 'trigger', dedup_key: dedupKey };
  if (action.event_action === 'resolve') return action;
  const severity = type.endsWith('.test') ? 'info' : (severities[firstText(data.severity) ?? ''] ?? 'info');
  return {
    ...action,
    payload: {
      summary: shortened(harmless(title), SUMMARY_MAX),
      source: 'Svc',
      severity,
      timestamp: createdAt,
      class: type,
      custom_details: Object.fromEntries(facts.map(({ label, value }) => [label, harmless(value)])),
    },
    client: 'Svc',
    client_url: link,
    links: [{ href: link, text: 'Open in the console' }],
  };
}
