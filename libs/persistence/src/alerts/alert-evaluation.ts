import { alertFilterFields, alertMetrics, type AlertMetric } from '@svc/alerts';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { AuditLog } from '../audit/audit-log';
import { type Database } from '../database/database';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';
import { endpointsParameter, observations, sharedReadings, type WatchedEndpoint } from './observations';
import { isNews, toObservedRule, type ObservedRow, type ObservedRule } from './observed-rule';
import { recordChanges } from './record-changes';

/** A metric that this process evaluates. Another claim of it has a higher number, and makes this one void. */
interface ClaimedMetric {
  readonly metric: AlertMetric;
  readonly fence: bigint;
}

/** Longer than evaluating a metric takes. */
const LEASE_MS = 60_000;
/** Rules that commit together. */
const BATCH = 1_000;

/** Evaluates alert rules, a metric at a time. Any number of workers share the work; the database's clock decides. */
export class AlertEvaluation {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /** Claims the metric that has been due longest. Null if none is due. */
  async claim(): Promise<ClaimedMetric | null> {
    const { rows } = await this.database.background.query<{ metric: AlertMetric; fence: string }>(
      `WITH due AS MATERIALIZED (
         SELECT metric FROM alert_ticks
         WHERE metric = ANY ($1) AND due_at <= clock_timestamp() AND coalesce(lease_until, '-infinity') <= clock_timestamp()
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE alert_ticks t SET fence = t.fence + 1, lease_until = clock_timestamp() + $2 * interval '1 ms'
       FROM due WHERE t.metric = due.metric RETURNING t.metric, t.fence`,
      [alertMetrics, this.leaseMs],
    );
    const [claimed] = rows;
    return claimed === undefined ? null : { metric: claimed.metric, fence: BigInt(claimed.fence) };
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
  async record(claim: ClaimedMetric, observed: readonly ObservedRule[]): Promise<boolean> {
    const news = observed.filter(isNews);
    for (let from = 0; from < news.length; from += BATCH) {
      const batch = news.slice(from, from + BATCH);
      const isRecorded = await this.unitOfWork.transaction(async (tx) => {
        if (!(await holdsClaim(tx, claim))) return false;
        await recordChanges(tx, { newId: this.newId, auditLog: this.auditLog }, batch);
        return true;
      });
      if (!isRecorded) return false;
    }
    return true;
  }

  /** Ends the claim: the metric is due again after a tick. */
  async finish({ metric, fence }: ClaimedMetric, tickSeconds: number): Promise<void> {
    await this.database.background.query(
      `UPDATE alert_ticks SET due_at = clock_timestamp() + $3 * interval '1 s', lease_until = NULL
       WHERE metric = $1 AND fence = $2`,
      [metric, fence, tickSeconds],
    );
  }

  /** For metrics: the alerts that are firing, and how long the metric has been due that has waited longest. */
  async figures(): Promise<{ readonly firingCount: number; readonly lagSeconds: number }> {
    const { rows } = await this.database.background.query<{ firing: string; lag: number | null }>(
      `SELECT (SELECT count(*) FROM alerts WHERE state = 'firing') AS firing,
         (SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8 FROM alert_ticks) AS lag`,
    );
    const [found] = rows;
    return { firingCount: Number(found?.firing ?? 0), lagSeconds: Math.max(found?.lag ?? 0, 0) };
  }
}

/** Locks the claim until the transaction ends, so that nobody else claims the metric meanwhile. */
async function holdsClaim(tx: Transaction, { metric, fence }: ClaimedMetric): Promise<boolean> {
  const rows = await prismaOf(tx).$queryRaw<unknown[]>`
    SELECT FROM alert_ticks WHERE metric = ${metric} AND fence = ${fence} FOR SHARE`;
  return rows.length === 1;
}

const ruleColumns = Object.keys(Prisma.AlertRuleScalarFieldEnum)
  .filter((field) => field !== 'testedAt')
  .map((field) => `r.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
  .join(', ');

/** What an observation depends on. Rules that differ in nothing of it, as by their thresholds, are observed once. */
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
