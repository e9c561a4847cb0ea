import { alertMetricRules, type AlertMetric } from './metrics';

export type AlertRuleState = 'ok' | 'pending' | 'firing' | 'no_data';
export type ResolveReason = 'recovered' | 'no_data' | 'rule_changed' | 'rule_disabled' | 'rule_deleted';

/** The fields of a rule that decide its state. */
interface JudgedRule {
  readonly metric: AlertMetric;
  readonly threshold: bigint;
  readonly windowSeconds: number;
  readonly forSeconds: number;
  readonly keepFiringSeconds: number;
  /** Null: an alert is told once. */
  readonly repeatSeconds: number | null;
  /** Unix milliseconds. */
  readonly mutedUntilMs: number | null;
}

/** The alert of a rule that is firing. */
interface OpenAlert {
  /** The observation that was farthest beyond the threshold. */
  readonly peak: bigint;
  /** The period in which it fired; null for a metric without one. */
  readonly period: string | null;
  /** How often it was told. 0: not yet, because its rule was muted. */
  readonly toldCount: number;
  readonly lastToldAtMs: number | null;
  readonly isAcknowledged: boolean;
}

/** The state of a rule between two ticks. */
export interface Standing {
  readonly state: AlertRuleState;
  /** Pending: since when the condition has held without a break. */
  readonly pendingSinceMs: number | null;
  /** Firing: since when the condition was not seen to hold. */
  readonly notHeldSinceMs: number | null;
  /** Not null exactly while it is firing. */
  readonly alert: OpenAlert | null;
}

/** The observation of a tick, by the database's clock. */
export interface Observation {
  /** Null: no data. */
  readonly value: bigint | null;
  /** The period that was observed; null for a metric without one. */
  readonly period: string | null;
  readonly atMs: number;
}

/** A notice to people. `repeat` is 0 the first time. */
type Notice = { readonly kind: 'firing'; readonly repeat: number } | { readonly kind: 'resolved' } | null;

export interface Verdict {
  readonly standing: Standing;
  /** The alert that this tick opened, changed or resolved. */
  readonly change: 'opened' | Extract<ResolveReason, 'recovered' | 'no_data'> | null;
  readonly notice: Notice;
}

/** Of a rule that is new, was changed or was enabled. */
export const freshStanding: Standing = {
  state: 'ok',
  pendingSinceMs: null,
  notHeldSinceMs: null,
  alert: null,
};

/** The state of a rule after an observation (docs/reference/alerts.md#states). */
export function judgeRule(rule: JudgedRule, before: Standing, observation: Observation): Verdict {
  const { alert } = before;
  return alert === null
    ? judgeQuiet(rule, before, observation)
    : judgeFiring(rule, { ...before, alert }, observation);
}

/** The notice that a change of its rule ended an alert. An alert without a notice ends without one. */
export const noticeOfEnd = (
  { mutedUntilMs }: Pick<JudgedRule, 'mutedUntilMs'>,
  { toldCount }: Pick<OpenAlert, 'toldCount'>,
  atMs: number,
): Notice => (toldCount > 0 && !isMuted(mutedUntilMs, atMs) ? { kind: 'resolved' } : null);

function judgeQuiet(rule: JudgedRule, before: Standing, { value, period, atMs }: Observation): Verdict {
  if (value === null) return unchanged({ ...freshStanding, state: 'no_data' });
  if (!holds(rule, value)) return unchanged(freshStanding);
  const pendingSinceMs = before.pendingSinceMs ?? atMs;
  if (atMs - pendingSinceMs < rule.forSeconds * 1_000) {
    return unchanged({ ...freshStanding, state: 'pending', pendingSinceMs });
  }
  const alert = { peak: value, period, toldCount: 0, lastToldAtMs: null, isAcknowledged: false };
  return { ...told(rule, { ...freshStanding, state: 'firing', alert }, atMs), change: 'opened' };
}

type Firing = Standing & { readonly alert: OpenAlert };

function judgeFiring(rule: JudgedRule, before: Firing, { value, period, atMs }: Observation): Verdict {
  const { alert } = before;
  const beginsAnew = period !== alert.period && value !== null;
  if (beginsAnew) return resolved(rule, alert, 'recovered', atMs);
  if (value !== null && holds(rule, value)) {
    const peak = farther(rule, alert.peak, value);
    return told(rule, { ...before, notHeldSinceMs: null, alert: { ...alert, peak } }, atMs);
  }
  const notHeldSinceMs = before.notHeldSinceMs ?? atMs;
  const keepMs = rule.keepFiringSeconds * 1_000;
  const waitMs = value === null ? Math.max(rule.windowSeconds * 1_000, keepMs) : keepMs;
  if (atMs - notHeldSinceMs < waitMs) return unchanged({ ...before, notHeldSinceMs });
  return resolved(rule, alert, value === null ? 'no_data' : 'recovered', atMs);
}

const isMuted = (mutedUntilMs: number | null, atMs: number): boolean =>
  mutedUntilMs !== null && mutedUntilMs > atMs;

const holds = ({ metric, threshold }: JudgedRule, value: bigint): boolean =>
  alertMetricRules[metric].firesWhen === 'low' ? value <= threshold : value >= threshold;

const farther = ({ metric }: JudgedRule, a: bigint, b: bigint): bigint =>
  (alertMetricRules[metric].firesWhen === 'low') === a < b ? a : b;

const unchanged = (standing: Standing): Verdict => ({ standing, change: null, notice: null });

const resolved = (
  rule: JudgedRule,
  alert: OpenAlert,
  change: 'recovered' | 'no_data',
  atMs: number,
): Verdict => ({ standing: freshStanding, change, notice: noticeOfEnd(rule, alert, atMs) });

/** Tells of a firing rule if that is due. Who acknowledged it has heard of it, so only repeats are silenced. */
function told(rule: JudgedRule, standing: Firing, atMs: number): Verdict {
  const { alert } = standing;
  if (isMuted(rule.mutedUntilMs, atMs) || !isDue(rule, alert, atMs)) return unchanged(standing);
  const { toldCount } = alert;
  return {
    standing: { ...standing, alert: { ...alert, toldCount: toldCount + 1, lastToldAtMs: atMs } },
    change: null,
    notice: { kind: 'firing', repeat: toldCount },
  };
}

function isDue({ repeatSeconds }: JudgedRule, { lastToldAtMs, isAcknowledged }: OpenAlert, atMs: number) {
  if (lastToldAtMs === null) return true;
  return repeatSeconds !== null && !isAcknowledged && atMs - lastToldAtMs >= repeatSeconds * 1_000;
}
