import { type AlertRule, type NewAlertRule, type Role, type Severity } from './alert';
import { type FilterName, hasWindow, type Metric, metricFacts } from './metrics';
import { parseThreshold, typedThreshold } from './threshold';

const MINUTE = 60;
const HOUR = 3_600;
export type Span = 'window' | 'day' | 'month';

/** The form of a rule, as it is typed. */
export interface RuleDraft {
  readonly name: string;
  readonly metric: Metric;
  readonly threshold: string;
  readonly span: Span;
  readonly windowMinutes: number | null;
  readonly minRequests: number | null;
  readonly forMinutes: number | null;
  readonly keepMinutes: number | null;
  readonly repeatHours: number | null;
  readonly filter: Readonly<Partial<Record<FilterName, string>>>;
  readonly severity: Severity;
  readonly roles: readonly Role[];
  readonly members: readonly string[];
  readonly integrations: readonly string[];
  readonly isEnabled: boolean;
}

/** Properties of a part of the form. */
export interface DraftFieldsProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
}

const empty: RuleDraft = {
  name: '',
  metric: 'error_rate_bps',
  threshold: '',
  span: 'window',
  windowMinutes: 5,
  minRequests: 20,
  forMinutes: 0,
  keepMinutes: 5,
  repeatHours: null,
  filter: {},
  severity: 'warning',
  roles: ['owner'],
  members: [],
  integrations: [],
  isEnabled: true,
};

export function draftOf(rule: AlertRule | null): RuleDraft {
  if (rule === null) return empty;
  const given = Object.entries(rule.filter).filter(([, value]) => value !== null);
  return {
    name: rule.name,
    metric: rule.metric,
    threshold: typedThreshold(rule.metric, rule.threshold),
    span: rule.period ?? 'window',
    windowMinutes: rule.window_seconds / MINUTE,
    minRequests: rule.min_requests,
    forMinutes: rule.for_seconds / MINUTE,
    keepMinutes: rule.keep_firing_seconds / MINUTE,
    repeatHours: rule.repeat_seconds === null ? null : rule.repeat_seconds / HOUR,
    filter: Object.fromEntries(given) as RuleDraft['filter'],
    severity: rule.severity,
    roles: rule.notify.roles,
    members: rule.notify.member_ids,
    integrations: rule.notify.integration_ids,
    isEnabled: rule.enabled,
  };
}

/** The body of the write; null while the threshold is none. Filters of another metric are left out. */
export function ruleOf(draft: RuleDraft): NewAlertRule | null {
  const threshold = parseThreshold(draft.metric, draft.threshold);
  if (threshold === null) return null;
  const { metric } = draft;
  const filter = Object.fromEntries(
    metricFacts[metric].filters.map((name) => [name, draft.filter[name]?.trim() || null]),
  );
  return {
    name: draft.name.trim(),
    metric,
    threshold,
    period: metric === 'spend_nanos' && draft.span !== 'window' ? draft.span : null,
    ...(hasWindow(metric) && {
      window_seconds: secondsOf(draft.windowMinutes),
      min_requests: draft.minRequests ?? 1,
    }),
    filter,
    for_seconds: secondsOf(draft.forMinutes),
    keep_firing_seconds: secondsOf(draft.keepMinutes),
    repeat_seconds: draft.repeatHours === null ? null : Math.round(draft.repeatHours * HOUR),
    severity: draft.severity,
    notify: {
      roles: [...draft.roles],
      member_ids: [...draft.members],
      integration_ids: [...draft.integrations],
    },
    enabled: draft.isEnabled,
  };
}

export const secondsOf = (minutes: number | null): number => Math.round((minutes ?? 0) * MINUTE);
