import { type AlertRule } from '@svc/database/rows';
import { type JsonValue } from '@svc/kernel';
import { type AlertRuleState } from '../rules/judge-rule';
import { type AlertFilter, type AlertMetric } from '../rules/metrics';

export type AlertSeverity = 'info' | 'warning' | 'critical';

/** The settings of a rule. */
export interface AlertRuleSettings {
  readonly name: string;
  readonly metric: AlertMetric;
  readonly threshold: bigint;
  readonly windowSeconds: number;
  readonly period: 'day' | 'month' | null;
  readonly filter: AlertFilter;
  readonly minRequests: number;
  readonly forSeconds: number;
  readonly keepFiringSeconds: number;
  readonly repeatSeconds: number | null;
  readonly severity: AlertSeverity;
  readonly notifyRoles: readonly string[];
  readonly notifyMemberIds: readonly string[];
  readonly notifyIntegrationIds: readonly string[];
  readonly enabled: boolean;
  readonly mutedUntil: Date | null;
}

export interface AlertRuleRecord extends AlertRuleSettings {
  readonly id: string;
  readonly organizationId: string;
  /** The project that it is about; null for a rule of the whole organization. */
  readonly projectId: string | null;
  readonly disabledReason: string | null;
  readonly state: AlertRuleState;
  /** Null: no data, or not evaluated yet. */
  readonly observed: bigint | null;
  /** Up to a minute before the last evaluation, where that changed nothing. */
  readonly evaluatedAt: Date | null;
  /** Firing: since when its condition was not seen to hold. */
  readonly notHeldSince: Date | null;
  /** Its open alert. */
  readonly currentAlertId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const toAlertRule = (
  row: Omit<AlertRule, 'testedAt'>,
  currentAlertId: string | null,
): AlertRuleRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  name: row.name,
  metric: row.metric as AlertMetric,
  threshold: row.threshold,
  windowSeconds: row.windowSeconds,
  period: row.period as AlertRuleRecord['period'],
  filter: {
    project_id: row.filterProjectId,
    api_key_id: row.filterApiKeyId,
    model: row.filterModel,
    provider: row.filterProvider,
    budget_id: row.filterBudgetId,
    webhook_endpoint_id: row.filterWebhookEndpointId,
    integration_id: row.filterIntegrationId,
  },
  minRequests: row.minRequests,
  forSeconds: row.forSeconds,
  keepFiringSeconds: row.keepFiringSeconds,
  repeatSeconds: row.repeatSeconds,
  severity: row.severity as AlertSeverity,
  notifyRoles: row.notifyRoles,
  notifyMemberIds: row.notifyMemberIds,
  notifyIntegrationIds: row.notifyIntegrationIds,
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  mutedUntil: row.mutedUntil,
  state: row.state as AlertRuleState,
  observed: row.observed,
  evaluatedAt: row.evaluatedAt,
  notHeldSince: row.notHeldSince,
  currentAlertId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** The copy of a rule that an alert keeps, named as the API names it. */
export const ruleCopy = (rule: AlertRuleSettings) =>
  ({
    name: rule.name,
    metric: rule.metric,
    threshold: Number(rule.threshold),
    window_seconds: rule.windowSeconds,
    period: rule.period,
    filter: rule.filter,
    min_requests: rule.minRequests,
    for_seconds: rule.forSeconds,
    keep_firing_seconds: rule.keepFiringSeconds,
    repeat_seconds: rule.repeatSeconds,
    severity: rule.severity,
  }) satisfies Record<string, JsonValue>;
export type AlertRuleCopy = ReturnType<typeof ruleCopy>;
