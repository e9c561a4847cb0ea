import { formatCount, formatPlural } from '../../format/numbers';
import { type Alert, type AlertRule, type FilterName, type Notification, type Severity } from './alert';
import { type Metric } from './metrics';

export const metricWords: Readonly<Record<Metric, string>> = {
  spend_nanos: 'Spend',
  request_count: 'Calls',
  error_rate_bps: 'Error rate',
  latency_p95_ms: 'Duration, 95th percentile',
  ttft_p95_ms: 'Time to first byte, 95th percentile',
  wallet_available_nanos: 'Wallet, available',
  wallet_runway_hours: 'Wallet, hours left',
  budget_consumed_bps: 'Budget consumed',
  delivery_failures: 'Failed deliveries in a row',
  circuit_open_seconds: 'Circuits open',
};

const falling: readonly Metric[] = ['wallet_available_nanos', 'wallet_runway_hours'];

export const severityWords: Readonly<Record<Severity, string>> = {
  info: 'Info',
  warning: 'Warning',
  critical: 'Critical',
};

export const ruleStateWords: Readonly<Record<AlertRule['state'], string>> = {
  ok: 'OK',
  pending: 'Pending',
  firing: 'Firing',
  no_data: 'No data',
};

export const alertStateWords: Readonly<Record<Alert['state'], string>> = {
  firing: 'Firing',
  resolved: 'Resolved',
};

const reasons: Readonly<Record<NonNullable<Alert['resolve_reason']>, string>> = {
  recovered: 'It recovered',
  no_data: 'There was no data any more',
  rule_changed: 'The rule was changed',
  rule_disabled: 'The rule was disabled',
  rule_deleted: 'The rule was deleted',
};

export const filterWords: Readonly<Record<FilterName, string>> = {
  project_id: 'Project id',
  api_key_id: 'Key id',
  model: 'Model',
  provider: 'Provider',
  budget_id: 'Budget id',
  webhook_endpoint_id: 'Webhook endpoint id',
  integration_id: 'Integration id',
};

const channels: Readonly<Record<Notification['channel'], string>> = {
  email: 'Mail',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  pagerduty: 'PagerDuty',
};

type Unit = 'hour' | 'day';
const countOf = (count: number, unit: Unit): string => formatPlural(count, unit);

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `5 minutes`, `1 hour`; what is no whole number of those is in seconds. */
export function spanWords(seconds: number): string {
  if (seconds !== 0 && seconds % DAY === 0) return formatPlural(seconds / DAY, 'day');
  if (seconds !== 0 && seconds % HOUR === 0) return formatPlural(seconds / HOUR, 'hour');
  if (seconds !== 0 && seconds % MINUTE === 0) return formatPlural(seconds / MINUTE, 'minute');
  return formatPlural(seconds, 'second');
}

export const text = {
  title: 'Alerts',
  purpose: 'What has fired, and the rules that watch.',
  tabs: { label: 'Alerts', alerts: 'Alerts', rules: 'Rules' },
  alerts: {
    caption: 'Alerts',
    what: 'alerts',
    emptyTitle: 'Nothing has fired yet',
    empty: 'A rule that fires opens an alert, which stays here for 400 days after it was resolved.',
    columns: {
      rule: 'Rule',
      state: 'State',
      severity: 'Severity',
      observed: 'Observed',
      peak: 'Worst',
      fired: 'Fired',
      acknowledged: 'Acknowledged',
    },
    no: 'No',
  },
  rules: {
    caption: 'Alert rules',
    what: 'rules',
    create: 'Create rule',
    emptyTitle: 'No alert rules yet',
    empty:
      'A rule watches spend, errors, speed, the wallet, budgets or deliveries, and says when they pass a threshold.',
    columns: {
      name: 'Name',
      condition: 'Fires',
      state: 'State',
      observed: 'Observed',
      severity: 'Severity',
      muted: 'Muted until',
    },
    nothing: 'Nothing',
    no: 'No',
    disabled: 'Disabled',
    enabled: 'Enabled',
  },
  condition: (metric: Metric, threshold: string): string =>
    falling.includes(metric)
      ? `${metricWords[metric]} at or below ${threshold}`
      : `${metricWords[metric]} at or above ${threshold}`,
  filters: { state: 'State', rule: 'Rule', metric: 'Metric', enabled: 'Enabled', ruleHint: 'Its id: alr_…' },
  alert: {
    title: 'Alert',
    what: 'alert',
    facts: 'Facts',
    id: 'Id',
    rule: 'Rule',
    condition: 'Fires',
    observed: 'Observed when it fired',
    peak: 'Worst',
    fired: 'Fired',
    resolved: 'Resolved',
    reason: 'Why',
    reasons,
    severity: 'Severity',
    acknowledgedBy: 'Acknowledged by',
    acknowledged: 'Acknowledged',
    acknowledge: 'Acknowledge',
    done: 'Alert acknowledged.',
    calls: 'Show its calls',
    webhooks: 'Webhooks that were told',
    resolvedReason: 'It is resolved.',
    acknowledgedReason: 'It is acknowledged.',
  },
  told: {
    title: 'Who was told',
    caption: 'Messages',
    none: 'Nobody was told.',
    channel: 'By',
    channels,
    target: 'To',
    status: 'State',
    statuses: { queued: 'Waiting', sent: 'Sent', failed: 'Failed', skipped: 'Not sent' },
    at: 'When',
    error: 'Why',
  },
  rule: {
    title: 'Alert rule',
    what: 'alert rule',
    facts: 'Facts',
    id: 'Id',
    condition: 'Fires',
    budget: 'Budget',
    window: 'Looks back',
    period: { day: 'The UTC day', month: 'The UTC month' },
    min: 'Calls at least',
    for: 'Must hold for',
    keep: 'Resolves after',
    repeat: 'Told again every',
    never: 'Never',
    severity: 'Severity',
    observed: 'Observed',
    evaluated: 'As of',
    muted: 'Muted until',
    why: 'Disabled because',
    reasons: (reason: string): string => (reason === 'target_gone' ? 'What it filters by is gone.' : reason),
    told: 'Tells',
    nobody: 'Nobody',
    tellsOf: (roles: readonly string[], members: number, integrations: number): string =>
      [
        ...roles,
        ...(members === 0 ? [] : [formatPlural(members, 'member')]),
        ...(integrations === 0 ? [] : [formatPlural(integrations, 'integration')]),
      ].join(', '),
    alerts: 'Its alerts',
    noAlerts: 'It has not fired yet.',
    edit: 'Change',
    test: 'Send test',
    tested: (count: number): string =>
      count === 0 ? 'The rule tells nobody.' : `Test sent to ${formatCount(count)}.`,
    delete: 'Delete',
  },
  mute: {
    action: 'Mute',
    title: 'Mute this rule',
    note: 'It fires and records, and sends nothing. What still fires then is sent.',
    spans: { hour: 'For an hour', day: 'For a day', week: 'For a week' },
    label: 'How long',
    submit: 'Mute',
    unmute: 'Unmute',
    muted: 'Rule muted.',
    unmuted: 'Rule unmuted.',
  },
  remove: {
    title: 'Delete this rule?',
    action: 'Delete rule',
    effect: 'It watches no longer. An open alert of it is resolved; its alerts stay.',
    done: 'Rule deleted.',
  },
  preview: {
    loading: 'Reading how often it would have been reached …',
    unknown: 'How often it would have been reached is not known: the usage could not be read.',
    nothing: 'In the last 7 days nothing was measured that it watches.',
    reached: {
      exactly: (count: number, unit: Unit): string =>
        `In the last 7 days ${countOf(count, unit)} (UTC) reached it.`,
      about: (count: number, unit: Unit): string =>
        `In the last 7 days ${countOf(count, unit)} (UTC) reached it. Shorter peaks do not show.`,
      'at most': (count: number, unit: Unit): string =>
        `In the last 7 days it was reached in ${countOf(count, unit)} (UTC) at most: sums of an hour are more than those of a shorter window.`,
      'at least': (count: number, unit: Unit): string =>
        `In the last 7 days it was reached in ${countOf(count, unit)} (UTC) at least: sums of an hour are less than those of a longer window.`,
    },
    highest: (value: string, at: string): string => `The highest was ${value}, on ${at}.`,
  },
  form: {
    createTitle: 'Create alert rule',
    editTitle: 'Change alert rule',
    name: 'Name',
    noName: 'Give it a name.',
    metric: 'What is watched',
    threshold: 'Threshold',
    units: {
      dollars: 'In dollars.',
      percent: 'In per cent, with two decimals at most.',
      milliseconds: 'In milliseconds.',
      hours: 'In hours.',
      seconds: 'In seconds.',
      count: 'A count.',
    },
    noThreshold: 'Write a threshold in its unit.',
    window: 'Looks back over',
    windows: { window: 'The minutes below', day: 'The UTC day', month: 'The UTC month' },
    minutes: 'Minutes',
    min: 'Calls at least',
    minHint: 'Fewer are no data.',
    for: 'Must hold for, in minutes',
    keep: 'Resolves after, in minutes',
    filter: 'Only',
    filterHint: 'Empty: all.',
    budgetHint: 'Empty: all. Of a budget of each, the most consumed counts.',
    severity: 'Severity',
    roles: 'Mail to roles',
    members: 'Mail to members',
    integrations: 'Integrations',
    repeat: 'Told again every, in hours',
    repeatHint: 'Empty: never. Only while it fires and nobody has acknowledged it.',
    enabled: 'Enabled',
    save: 'Save',
    submit: 'Create rule',
    created: 'Rule created.',
    saved: 'Rule changed.',
  },
} as const;
