import { type AlertRule } from '@svc/database/rows';
import { type AlertRuleState, judgeRule, type Standing, type Verdict } from '../rules/judge-rule';
import { toAlertRule, type AlertRuleRecord } from './alert-rule-record';

/** A rule as it was observed. */
export interface ObservedRule {
  readonly rule: AlertRuleRecord;
  /** Of the rule's settings. */
  readonly version: number;
  readonly alert: ObservedAlert | null;
  readonly value: bigint | null;
  /** By the database's clock. */
  readonly at: Date;
  /** True where the target of the rule was deleted or revoked. */
  readonly isTargetGone: boolean;
  readonly verdict: Verdict;
}

/** The open alert of a rule, as stored. */
export interface ObservedAlert {
  readonly id: string;
  readonly observed: bigint;
  readonly peak: bigint;
  readonly firedAt: Date;
}

/** A row as `pg` reads it: numbers of 64 bits are texts. */
export type ObservedRow = Omit<AlertRule, 'threshold' | 'observed' | 'testedAt'> & {
  readonly threshold: string;
  readonly observed: string | null;
  readonly seen: string | null;
  readonly seenPeriod: string | null;
  readonly at: Date;
  readonly isTargetGone: boolean;
} & (OpenAlertRow | { readonly alertId: null });

interface OpenAlertRow {
  readonly alertId: string;
  readonly alertObserved: string;
  readonly peak: string;
  readonly periodKey: string | null;
  readonly firedAt: Date;
  readonly toldCount: number;
  readonly lastToldAt: Date | null;
  readonly acknowledgedBy: string | null;
}

/** Judges a rule as it was read. */
export function toObservedRule(row: ObservedRow): ObservedRule {
  const stored = {
    ...row,
    threshold: BigInt(row.threshold),
    observed: row.observed === null ? null : BigInt(row.observed),
  };
  const rule = toAlertRule(stored, row.alertId);
  const value = row.seen === null ? null : BigInt(row.seen);
  const observation = { value, period: row.seenPeriod, atMs: row.at.getTime() };
  const judged = { ...rule, mutedUntilMs: msOrNull(rule.mutedUntil) };
  return {
    rule,
    version: row.version,
    alert:
      row.alertId === null
        ? null
        : {
            id: row.alertId,
            observed: BigInt(row.alertObserved),
            peak: BigInt(row.peak),
            firedAt: row.firedAt,
          },
    value,
    at: row.at,
    isTargetGone: row.isTargetGone,
    verdict: judgeRule(judged, standingOf(row), observation),
  };
}

/** A rule that is evaluated with the same result is written once a minute only. */
const WRITE_EVERY_MS = 60_000;

/** True where what was observed is to be written. */
export function isNews({ rule, alert, value, at, isTargetGone, verdict }: ObservedRule): boolean {
  const { standing, change, notice } = verdict;
  const isSame =
    value === rule.observed &&
    standing.state === rule.state &&
    standing.notHeldSinceMs === msOrNull(rule.notHeldSince) &&
    (standing.alert === null || standing.alert.peak === alert?.peak);
  const isRecent = rule.evaluatedAt !== null && at.getTime() - rule.evaluatedAt.getTime() < WRITE_EVERY_MS;
  return !(isSame && isRecent) || isTargetGone || change !== null || notice !== null;
}

const standingOf = (row: ObservedRow): Standing => ({
  state: row.state as AlertRuleState,
  pendingSinceMs: msOrNull(row.pendingSince),
  notHeldSinceMs: msOrNull(row.notHeldSince),
  alert:
    row.alertId === null
      ? null
      : {
          peak: BigInt(row.peak),
          period: row.periodKey,
          toldCount: row.toldCount,
          lastToldAtMs: msOrNull(row.lastToldAt),
          isAcknowledged: row.acknowledgedBy !== null,
        },
});

const msOrNull = (time: Date | null): number | null => time?.getTime() ?? null;
