import { AuditLog, type Claim, type Database, LeasedWork, LeaseLostError, UnitOfWork } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { alertFilterFields, type AlertMetric, alertMetrics } from '../rules/metrics';
import { endpointsParameter, observations, sharedReadings, type WatchedEndpoint } from './observations';
import { isNews, toObservedRule, type ObservedRow, type ObservedRule } from './observed-rule';
import { recordChanges } from './record-changes';

/** A metric that this process evaluates. Another claim of it has a higher number, and makes this one void. */
interface ClaimedMetric {
  readonly metric: AlertMetric;
  readonly fence: bigint;
}

/** A metric that another version evaluates is left to it, and one that no enabled rule watches is not due. */
const TICKS = {
  table: 'alert_ticks',
  key: 'metric',
  what: 'the metric',
  where: `due.metric IN (${alertMetrics.map((metric) => `'${metric}'`).join()})
    AND EXISTS (SELECT FROM alert_rules r WHERE r.metric = due.metric AND r.enabled)`,
};
/** Rules that commit together. */
const BATCH = 1_000;

/** Evaluates alert rules, a metric at a time. Any number of workers share the work; the database's clock decides. */
export class AlertEvaluation {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;
  private readonly leases: LeasedWork;

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    leaseMs?: number,
  ) {
    this.leases = new LeasedWork(database, TICKS, leaseMs);
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /** Asks whether any metric may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** Claims the metric that has been due longest. Null if none is due. */
  async claim(): Promise<ClaimedMetric | null> {
    const claim = await this.leases.claimOne();
    return claim === null ? null : { metric: claim.id as AlertMetric, fence: claim.fence };
  }

  /**
   * Observes all enabled rules of a metric in one statement, and judges them.
   * @param endpoints of the catalog. The circuits of others are not observed.
   */
  async judge(
    metric: AlertMetric,
    endpoints: readonly WatchedEndpoint[] = [],
  ): Promise<readonly ObservedRule[]> {
    const ofCircuits = metric === 'circuit_open_seconds' ? [endpointsParameter(endpoints)] : [];
    const { rows } = await this.database.background.query<ObservedRow>(statementFor(metric), [
      metric,
      ...ofCircuits,
    ]);
    return rows.map(toObservedRule);
  }

  /**
   * Commits verdicts with their alerts, events and mails, in batches. A rule that was changed or deleted since it was
   * observed stays as it is.
   * @returns false when the claim is void: another worker has the metric, and nothing more was written.
   */
  async recordObservations(claim: ClaimedMetric, observed: readonly ObservedRule[]): Promise<boolean> {
    const news = observed.filter(isNews);
    try {
      for (let from = 0; from < news.length; from += BATCH) {
        await this.unitOfWork.transaction(async (tx) => {
          await this.leases.lock(tx, leaseOf(claim));
          const batch = news.slice(from, from + BATCH);
          await recordChanges(tx, { newId: this.newId, auditLog: this.auditLog }, batch);
        });
      }
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }

  /** Ends the claim: the metric is due again after a tick. */
  finish(claim: ClaimedMetric, tickSeconds: number): Promise<void> {
    return this.leases.postpone(leaseOf(claim), tickSeconds * 1_000);
  }

  /** For metrics: the alerts that are firing, and how long the metric has been due that has waited longest. */
  async figures(): Promise<{ readonly firingCount: number; readonly lagSeconds: number }> {
    const { rows } = await this.database.background.query<{ firing: string; lag: number | null }>(
      `SELECT (SELECT count(*) FROM alerts WHERE state = 'firing') AS firing,
         (SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8
          FROM alert_ticks due WHERE ${TICKS.where}) AS lag`,
    );
    const [found] = rows;
    return { firingCount: Number(found?.firing ?? 0), lagSeconds: Math.max(found?.lag ?? 0, 0) };
  }
}

const leaseOf = ({ metric, fence }: ClaimedMetric): Claim => ({ id: metric, fence });

const ruleColumns = Object.keys(Prisma.AlertRuleScalarFieldEnum)
  .filter((field) => field !== 'testedAt')
  .map((field) => `r.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
  .join(', ');

/** Columns that an observation depends on. Rules that differ in none of them, only in their thresholds, are observed once. */
const WATCH = [
  'organization_id',
  'window_seconds',
  'period',
  'min_requests',
  ...alertFilterFields.map((field) => `filter_${field}`),
].join(', ');

function statementFor(metric: AlertMetric): string {
  const shared = sharedReadings[metric];
  return `WITH watched AS MATERIALIZED (
      SELECT *, dense_rank() OVER (ORDER BY ${WATCH}) AS watch FROM alert_rules WHERE metric = $1 AND enabled
    )${shared === undefined ? '' : `, ${shared}`},
    observed AS MATERIALIZED (
      SELECT r.watch, trunc(o.value::numeric)::bigint AS value, o.period
      FROM (SELECT DISTINCT ON (watch) * FROM watched ORDER BY watch) r CROSS JOIN LATERAL (${observations[metric]}) o
    )
    SELECT ${ruleColumns}, o.value AS seen, o.period AS "seenPeriod", now() AS at,
      a.id AS "alertId", a.observed AS "alertObserved", a.peak, a.period_key AS "periodKey", a.fired_at AS "firedAt",
      a.told_count AS "toldCount", a.last_told_at AS "lastToldAt", a.acknowledged_by AS "acknowledgedBy", (
        r.filter_budget_id IS NOT NULL AND NOT EXISTS (SELECT FROM budgets g WHERE g.id = r.filter_budget_id)
        OR r.filter_api_key_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM api_keys k WHERE k.id = r.filter_api_key_id AND k.state = 'active')
        OR r.filter_webhook_endpoint_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM webhook_endpoints e WHERE e.id = r.filter_webhook_endpoint_id AND e.deleted_at IS NULL)
        OR r.filter_integration_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM integrations i WHERE i.id = r.filter_integration_id AND i.deleted_at IS NULL)
      ) AS "isTargetGone"
    FROM watched r
    LEFT JOIN alerts a ON a.alert_rule_id = r.id AND a.state = 'firing'
    LEFT JOIN observed o ON o.watch = r.watch
    ORDER BY r.id`;
}
