import { formatCount, formatPlural } from '../../format/numbers';
import { type Alert, type AlertRule, type Notification, type Severity } from './alert';
import { type FilterName, type Metric, metricFacts, metricWords } from './metrics';

const side = (metric: Metric): string => (metricFacts[metric].firesWhen === 'low' ? 'below' : 'above');

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
  recovered: 'Recovered',
  no_data: 'No more data',
  rule_changed: 'Rule changed',
  rule_disabled: 'Rule disabled',
  rule_deleted: 'Rule deleted',
};

export const filterWords: Readonly<Record<FilterName, string>> = {
  project_id: 'Project',
  api_key_id: 'Key',
  model: 'Model',
  provider: 'Provider',
  budget_id: 'Budget',
  webhook_endpoint_id: 'Webhook',
  integration_id: 'Integration',
};

const channels: Readonly<Record<Notification['channel'], string>> = {
  email: 'Email',
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
  purpose: 'Rules that watch your metrics, and the alerts they fired.',
  tabs: { label: 'Alerts', alerts: 'Alerts', rules: 'Rules' },
  alerts: {
    caption: 'Alerts',
    what: 'alerts',
    emptyTitle: 'No alerts yet',
    empty: 'Alerts appear here when a rule fires. They are kept for 400 days.',
    columns: {
      rule: 'Rule',
      state: 'State',
      severity: 'Severity',
      observed: 'Observed',
      peak: 'Peak',
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
    first: 'Create your first rule',
    empty:
      'A rule watches spend, errors, latency, the wallet, budgets or deliveries, and notifies you when a threshold is reached.',
    columns: {
      name: 'Name',
      condition: 'Condition',
      scope: 'Scope',
      state: 'State',
      observed: 'Observed',
      severity: 'Severity',
      muted: 'Muted until',
    },
    nothing: 'Nothing',
    everything: 'Organization',
    no: 'No',
    disabled: 'Disabled',
    enabled: 'Enabled',
  },
  condition: (metric: Metric, threshold: string): string =>
    `${metricWords[metric]} at or ${side(metric)} ${threshold}`,
  filters: {
    state: 'State',
    rule: 'Rule',
    metric: 'Metric',
    enabled: 'Enabled',
    ruleHint: 'By name, or its id: alr_…',
  },
  alert: {
    title: 'Alert',
    what: 'alert',
    facts: 'Details',
    id: 'Id',
    rule: 'Rule',
    condition: 'Condition',
    observed: 'Observed when it fired',
    peak: 'Peak',
    fired: 'Fired',
    resolved: 'Resolved',
    reason: 'Reason',
    reasons,
    severity: 'Severity',
    acknowledgedBy: 'Acknowledged by',
    acknowledged: 'Acknowledged',
    acknowledge: 'Acknowledge',
    done: 'Alert acknowledged.',
    calls: 'View calls',
    webhooks: 'Webhook deliveries',
    resolvedReason: 'The alert is resolved.',
    acknowledgedReason: 'The alert is acknowledged.',
  },
  told: {
    title: 'Notifications',
    caption: 'Notifications',
    none: 'No notifications were sent.',
    channel: 'Channel',
    channels,
    target: 'To',
    status: 'State',
    statuses: { queued: 'Waiting', sent: 'Sent', failed: 'Failed', skipped: 'Not sent' },
    at: 'When',
    error: 'Error',
  },
  rule: {
    title: 'Alert rule',
    what: 'alert rule',
    facts: 'Details',
    id: 'Id',
    condition: 'Condition',
    budget: 'Budget',
    window: 'Time window',
    period: { day: 'Calendar day (UTC)', month: 'Calendar month (UTC)' },
    min: 'Minimum calls',
    for: 'For at least',
    keep: 'Resolves after',
    repeat: 'Repeat every',
    never: 'Never',
    severity: 'Severity',
    observed: 'Observed',
    evaluated: 'As of',
    muted: 'Muted until',
    why: 'Why disabled',
    reasons: (reason: string): string =>
      reason === 'target_gone' ? 'What it watched no longer exists.' : reason,
    told: 'Notifies',
    nobody: 'Nobody',
    tellsOf: (roles: readonly string[], members: number, integrations: number): string =>
      [
        ...roles,
        ...(members === 0 ? [] : [formatPlural(members, 'member')]),
        ...(integrations === 0 ? [] : [formatPlural(integrations, 'integration')]),
      ].join(', '),
    alerts: 'Alerts of this rule',
    noAlerts: 'This rule has not fired yet.',
    edit: 'Edit',
    test: 'Send test',
    tested: (count: number): string =>
      count === 0 ? 'This rule has no recipients.' : `Test sent to ${formatCount(count)}.`,
    delete: 'Delete',
  },
  mute: {
    action: 'Mute',
    title: 'Mute this rule',
    note: 'Alerts are recorded, but nothing is sent. Alerts that still fire afterwards are sent.',
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
    effect: 'The rule stops watching. An open alert is resolved; past alerts stay.',
    done: 'Rule deleted.',
  },
  preview: {
    loading: 'Loading the preview…',
    unknown: 'Could not load usage for the preview.',
    nothing: 'No data in the last 7 days.',
    reached: {
      exactly: (count: number, unit: Unit): string =>
        `Would have fired in ${countOf(count, unit)} of the last 7 days (UTC).`,
      about: (count: number, unit: Unit): string =>
        `Would have fired in about ${countOf(count, unit)} of the last 7 days (UTC). Shorter peaks are not counted.`,
      'at most': (count: number, unit: Unit): string =>
        `Would have fired in at most ${countOf(count, unit)} of the last 7 days (UTC). The preview uses hours, which are longer than the time window.`,
      'at least': (count: number, unit: Unit): string =>
        `Would have fired in at least ${countOf(count, unit)} of the last 7 days (UTC). The preview uses hours, which are shorter than the time window.`,
    },
    highest: (value: string, at: string): string => `Peak: ${value}, on ${at}.`,
  },
  summary: {
    title: 'Preview',
    noThreshold: 'Enter a threshold to see what the rule does.',
    fires: (metric: Metric, threshold: string, window: string | null, span: string | null): string =>
      [
        `Fires when “${metricWords[metric]}”`,
        ...(window === null ? [] : [window]),
        `is at or ${side(metric)} ${threshold}`,
        ...(span === null ? [] : [`for ${span}`]),
      ].join(' ') + '.',
    window: (span: string): string => `over ${span}`,
    periods: { day: 'in a calendar day (UTC)', month: 'in a calendar month (UTC)' },
    mails: (severity: string, who: string): string => `Emails ${who}: severity ${severity}.`,
    posts: (severity: string, where: string): string => `Posts to ${where}: severity ${severity}.`,
    nobody: 'Nobody is notified. The alert is only listed here.',
    repeats: (span: string | null): string =>
      span === null ? 'Sends once.' : `Sends again every ${span} until somebody acknowledges the alert.`,
    resolves: (span: string | null, isMailed: boolean): string =>
      [
        span === null
          ? 'Resolves as soon as this no longer holds'
          : `Resolves when this has not held for ${span}`,
        isMailed ? ', and emails them again.' : '.',
      ].join(''),
    disabled: 'The rule is disabled: it does not watch.',
  },
  form: {
    createTitle: 'Create alert rule',
    editTitle: 'Edit alert rule',
    parts: { watch: 'What to watch', when: 'When it fires', notify: 'Who is notified' },
    name: 'Name',
    noName: 'Give it a name.',
    metric: 'Metric',
    threshold: 'Threshold',
    units: {
      nanos: 'In dollars.',
      bps: 'In percent, up to two decimals.',
      ms: 'In milliseconds.',
      hours: 'In hours.',
      seconds: 'In seconds.',
      count: 'A count.',
    },
    noThreshold: 'Enter a threshold.',
    window: 'Time window',
    windows: { window: 'Minutes', day: 'Calendar day (UTC)', month: 'Calendar month (UTC)' },
    minutes: 'Time window (minutes)',
    min: 'Minimum calls',
    minHint: 'Fewer calls are ignored.',
    for: 'For at least (minutes)',
    keep: 'Resolves after (minutes)',
    filter: 'Filter',
    filterHint: 'Leave empty for all.',
    budgetHint: 'Leave empty for all. Where a budget has an amount for each, the highest counts.',
    severity: 'Severity',
    roles: 'Email roles',
    members: 'Email members',
    integrations: 'Integrations',
    repeat: 'Repeat every (hours)',
    repeatHint: 'Leave empty to send once. Stops once the alert is acknowledged.',
    enabled: 'Enabled',
    save: 'Save',
    submit: 'Create rule',
    created: 'Rule created.',
    saved: 'Rule saved.',
  },
} as const;
