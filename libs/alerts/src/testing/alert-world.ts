import { type Database, UnitOfWork } from '@svc/database';
import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { type AlertFilter, alertFilterFields } from '../rules/metrics';
import { AlertEvaluation } from '../store/alert-evaluation';
import { type AlertRuleSettings } from '../store/alert-rule-record';
import { AlertRuleStore } from '../store/alert-rule-store';

const noFilter = Object.fromEntries(alertFilterFields.map((field) => [field, null])) as AlertFilter;

export const newSettings: AlertRuleSettings = {
  name: 'Errors',
  metric: 'request_count',
  threshold: 1n,
  windowSeconds: 300,
  period: null,
  filter: noFilter,
  minRequests: 20,
  forSeconds: 0,
  keepFiringSeconds: 0,
  repeatSeconds: null,
  severity: 'warning',
  notifyRoles: ['owner'],
  notifyMemberIds: [],
  notifyIntegrationIds: [],
  enabled: true,
  mutedUntil: null,
};

interface Calls {
  readonly calls: number;
  readonly failures: number;
  readonly spentNanos: number;
  readonly model: string;
  /** Of the histogram of the calls that succeeded. */
  readonly durationBound: number;
  readonly minutesAgo: number;
}

/** An organization with an owner and a wallet, whose rules are evaluated when a spec says so. */
export class AlertWorld {
  readonly organizationId = systemIds('organization');
  readonly memberId = systemIds('member');
  readonly rules: AlertRuleStore;
  readonly evaluation: AlertEvaluation;

  constructor(readonly database: Database) {
    this.rules = new AlertRuleStore(database);
    this.evaluation = new AlertEvaluation(database);
  }

  async open(): Promise<this> {
    const { prisma } = this.database;
    const { organizationId, memberId } = this;
    const userId = systemIds('user');
    await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
    await prisma.user.create({ data: { id: userId, email: `${userId}@example.com` } });
    await prisma.member.create({ data: { id: memberId, organizationId, userId, role: 'owner' } });
    await new WalletStore(this.database).credit(organizationId, nanos(1_000_000), 'spec');
    return this;
  }

  addRule(settings: Partial<AlertRuleSettings> = {}) {
    const { organizationId } = this;
    const rule = { ...newSettings, ...settings, id: systemIds('alertRule'), organizationId, projectId: null };
    return new UnitOfWork(this.database).transaction((tx) => this.rules.createRule(tx, rule));
  }

  rule(id: string) {
    return this.database.prisma.alertRule.findUniqueOrThrow({ where: { id } });
  }

  alerts() {
    return this.database.prisma.alert.findMany({ orderBy: { id: 'asc' } });
  }

  mails() {
    return this.database.prisma.mail.findMany({ orderBy: { createdAt: 'asc' } });
  }

  async events() {
    const rows = await this.database.prisma.outboxEvent.findMany({
      where: { type: 'alert.fired' },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ payload }) => JSON.parse(payload) as { type: string; data: Record<string, unknown> });
  }

  /** Evaluates all metrics, as a worker does in a tick. */
  async tick(evaluation = this.evaluation): Promise<void> {
    await this.database.pool.query(
      `UPDATE alert_ticks SET due_at = now() - interval '1 s' WHERE lease_until IS NULL`,
    );
    for (let claim = await evaluation.claim(); claim !== null; claim = await evaluation.claim()) {
      await evaluation.recordObservations(claim, await evaluation.judge(claim.metric));
      await evaluation.finish(claim, 3_600);
    }
  }

  /** Lets time pass for the rules: what they remember happened so much earlier. */
  async pass(seconds: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE alert_rules SET pending_since = pending_since - $1 * interval '1 s',
         not_held_since = not_held_since - $1 * interval '1 s', muted_until = muted_until - $1 * interval '1 s'`,
      [seconds],
    );
    await this.database.pool.query(
      `UPDATE alerts SET fired_at = fired_at - $1 * interval '1 s', last_told_at = last_told_at - $1 * interval '1 s'`,
      [seconds],
    );
  }

  /** Replaces the calls of the last minutes. */
  async setCalls(some: Partial<Calls> = {}): Promise<void> {
    await this.database.pool.query('DELETE FROM call_minutes WHERE organization_id = $1', [
      this.organizationId,
    ]);
    await this.addCalls(some);
  }

  async addCalls(some: Partial<Calls> = {}): Promise<void> {
    const {
      calls = 0,
      failures = 0,
      spentNanos = 0,
      model = 'acme/small',
      durationBound = 30,
      minutesAgo = 0,
    } = some;
    await this.database.pool.query(
      `INSERT INTO call_minutes VALUES ($1, date_trunc('minute', now()) - $2 * interval '1 min', '', 'key_1', $3, 'acme',
         gen_random_uuid(), $4, $5, 0, $4, 0, 0, 0, 0, 0, $6, ARRAY[$7]::smallint[], ARRAY[$4::int - $5::int],
         ARRAY[$7]::smallint[], ARRAY[$4::int - $5::int])`,
      [this.organizationId, minutesAgo, model, calls, failures, spentNanos, durationBound],
    );
  }
}
