import { z } from 'zod';
import { id, pointInTime, presenter, timestamp } from '@svc/api';
import { type AlertRecord } from '@svc/alerts/store';
import { watched } from '../alert-rules/alert-rule-schema';
import { alertNotification, presentNotification } from '../alert-rules/alert-notification-schema';

const state = z.enum(['firing', 'resolved']);

export const alert = z
  .object({
    id: id('alert'),
    organization_id: id('organization'),
    alert_rule_id: id('alertRule').meta({ description: 'The rule may have been deleted since.' }),
    rule: z.object(watched).meta({ id: 'AlertedRule', description: 'The rule as it was when it fired.' }),
    state,
    severity: watched.severity,
    observed: z.int().meta({ description: 'When it fired.', example: 730 }),
    peak: z.int().meta({ description: 'The farthest beyond the threshold.', example: 910 }),
    window_started_at: timestamp(),
    fired_at: timestamp(),
    resolved_at: timestamp().nullable(),
    resolve_reason: z
      .enum(['recovered', 'no_data', 'rule_changed', 'rule_disabled', 'rule_deleted'])
      .nullable()
      .meta({ description: 'Null while it is firing.', example: 'recovered' }),
    acknowledged_by: z
      .string()
      .nullable()
      .meta({ description: 'A user or an API key.', example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny' }),
    acknowledged_at: timestamp().nullable(),
    notifications: z.array(alertNotification),
  })
  .meta({ id: 'Alert', description: 'A time for which a rule fired.' });

export const alertFilters = {
  state: state.optional(),
  alert_rule_id: id('alertRule').optional(),
  created_after: pointInTime().optional().meta({ description: 'Alerts that fired then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Alerts that fired earlier.' }),
};

export const presentAlert = presenter<typeof alert, AlertRecord>(alert, {
  observed: ({ observed }) => Number(observed),
  peak: ({ peak }) => Number(peak),
  notifications: ({ notifications }) => notifications.map(presentNotification),
});
