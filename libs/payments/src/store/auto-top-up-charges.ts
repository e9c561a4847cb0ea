import {
  AuditLog,
  type Database,
  initialFields,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { recordEvent } from '@svc/events';
import { nanosToJson, type Nanos, type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { AUTO_TOP_UP_PAUSE_MS, nextAutoTopUp } from '../rules/auto-top-up';
import { AutoTopUpStore, type AutoTopUpRecord } from './auto-top-up-store';
import { PaymentStore } from './payment-store';

const AT_ONCE = 100;
const SYSTEM = { type: 'system', id: null } as const;

/**
 * Makes the payments of automatic top-ups (docs/reference/payments.md#automatic-top-ups). It only stores them, as `created`: the
 * settlement charges them. Nothing here locks a wallet, so that no call waits.
 */
export class AutoTopUpCharges {
  private readonly unitOfWork: UnitOfWork;
  private readonly settings: AutoTopUpStore;
  private readonly payments: PaymentStore;
  private readonly auditLog: AuditLog;
  private readonly outbox = new Outbox();

  constructor(
    private readonly database: Database,
    private readonly livemode: boolean,
    private readonly newId: NewId = systemIds,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.settings = new AutoTopUpStore(database);
    this.payments = new PaymentStore(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /** Looks at every wallet below its threshold, once. A suspended organization spends nothing. @returns what went wrong. */
  async makeDueCharges(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    let after = '';
    for (;;) {
      const due = await this.dueAfter(after);
      for (const organizationId of due) {
        await this.unitOfWork
          .transaction((tx) => this.makeFor(tx, organizationId))
          .catch((error: unknown) => failures.push(error));
      }
      const last = due.at(-1);
      if (last === undefined || due.length < AT_ONCE) return failures;
      after = last;
    }
  }

  private async dueAfter(organizationId: string): Promise<readonly string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      SELECT a.organization_id AS id FROM auto_top_ups a
      JOIN organizations o ON o.id = a.organization_id AND o.state = 'active'
      LEFT JOIN wallets w ON w.organization_id = a.organization_id
      WHERE a.enabled AND a.organization_id > ${organizationId} AND (a.retry_at IS NULL OR a.retry_at <= now())
        AND coalesce(w.balance_nanos - w.held_nanos - w.owed_nanos, 0) < a.threshold_nanos
      ORDER BY a.organization_id LIMIT ${AT_ONCE}`;
    return rows.map(({ id }) => id);
  }

  /** The lock of the settings keeps two workers apart; the unique index of open payments is the last resort. */
  private async makeFor(tx: Transaction, organizationId: string): Promise<void> {
    const settings = await this.settings.lockAutoTopUp(tx, organizationId);
    if (settings?.enabled !== true) return;
    const { available, isReady, month } = await this.factsOf(tx, settings);
    if (!isReady) return;
    const charged = await this.settings.chargedThisMonth(organizationId, tx);
    const step = nextAutoTopUp(settings, available, charged);
    if (step.action === 'charge') await this.charge(tx, settings, step.amount);
    if (step.action === 'stopAtCap') await this.tellOfCap(tx, organizationId, step.amount, month);
  }

  private async factsOf(tx: Transaction, { organizationId, paymentMethodId }: AutoTopUpRecord) {
    const [facts] = await prismaOf(tx).$queryRaw<{ available: bigint; isReady: boolean; month: string }[]>`
      SELECT coalesce((SELECT balance_nanos - held_nanos - owed_nanos FROM wallets
          WHERE organization_id = ${organizationId}), 0)::bigint AS available,
        to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
        EXISTS (SELECT FROM auto_top_ups
          WHERE organization_id = ${organizationId} AND (retry_at IS NULL OR retry_at <= clock_timestamp()))
        AND EXISTS (SELECT FROM payment_methods
          WHERE id = ${paymentMethodId} AND state = 'active' AND livemode = ${this.livemode})
        AND NOT EXISTS (SELECT FROM payments WHERE organization_id = ${organizationId} AND kind = 'auto'
          AND state IN ('created', 'pending', 'review'))
        AND NOT EXISTS (SELECT FROM payments WHERE organization_id = ${organizationId} AND kind = 'auto'
          AND created_at > clock_timestamp() - ${AUTO_TOP_UP_PAUSE_MS} * interval '1 ms') AS "isReady"`;
    if (facts === undefined) throw new Error('A query without a table has one row');
    return facts;
  }

  private async charge(tx: Transaction, settings: AutoTopUpRecord, amount: Nanos): Promise<void> {
    const { organizationId, paymentMethodId } = settings;
    const id = this.newId('payment');
    await this.payments.createPayment(tx, {
      id,
      organizationId,
      kind: 'auto',
      amount,
      livemode: this.livemode,
      successUrl: null,
      cancelUrl: null,
      idempotencyKey: null,
      paymentMethodId,
      createdBy: SYSTEM,
      at: new Date(),
    });
    await this.auditLog.append(tx, {
      organizationId,
      actor: SYSTEM,
      requestId: null,
      action: 'payment.create',
      targetId: id,
      changes: initialFields({
        amount_nanos: nanosToJson(amount),
        kind: 'auto',
        payment_method_id: paymentMethodId,
      }),
    });
  }

  /** Once a month. */
  private async tellOfCap(
    tx: Transaction,
    organizationId: string,
    amount: Nanos,
    month: string,
  ): Promise<void> {
    const told = await prismaOf(tx).$executeRaw`
      UPDATE auto_top_ups SET cap_told_month = ${month}
      WHERE organization_id = ${organizationId} AND cap_told_month IS DISTINCT FROM ${month}`;
    if (told === 0) return;
    const data = { payment_id: null, amount_nanos: nanosToJson(amount), failure_code: 'monthly_cap_reached' };
    const event = recordEvent(this.newId('event'), 'payment.failed', organizationId, Date.now(), data);
    await this.outbox.append(tx, event);
  }
}
