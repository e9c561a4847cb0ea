import {
  AuditLog,
  changedFields,
  type Changes,
  type Database,
  initialFields,
  Outbox,
  prismaOf,
  type Transaction,
} from '@svc/database';
import { recordEvent, type EventData, type EventType } from '@svc/events';
import { nanosToJson, type NewId } from '@svc/kernel';
import { BALANCE_MAX, WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { nanosOfCents } from '../rules/amount';
import { clawBack, clawBackTarget, creditedState, type PaidBack } from '../rules/claw-back';
import { judgePayment, type Verdict } from '../rules/judgement';
import { type ProviderPayment } from '../rules/provider';
import { AutoTopUpEnds } from './auto-top-up-ends';
import { bookClawBack, lockAvailable } from './owed-bookings';
import { OwedCollection } from './owed-collection';
import { toPayment, type PaymentRecord } from './payment-record';
import { PaymentRefunds } from './payment-refunds';

/** The outcome of a payment, as its metric counts it. */
export type PaymentOutcome = 'succeeded' | 'failed' | 'expired' | 'cancelled' | 'review';

/** Effects of an answer of the provider. All of them are one transaction, which has locked the payment. */
export class PaymentOutcomes {
  /** The operator's. */
  readonly refunds: PaymentRefunds;
  private readonly wallets: WalletStore;
  private readonly auditLog: AuditLog;
  private readonly owed: OwedCollection;
  private readonly autoTopUps: AutoTopUpEnds;
  private readonly outbox = new Outbox();

  constructor(
    database: Database,
    private readonly newId: NewId = systemIds,
  ) {
    this.wallets = new WalletStore(database, newId);
    this.auditLog = new AuditLog(database, newId);
    this.autoTopUps = new AutoTopUpEnds(database, newId);
    this.owed = new OwedCollection(database, newId);
    this.refunds = new PaymentRefunds(database, newId);
  }

  /** @returns the new state, where there is one that the payment did not have. */
  async follow(
    tx: Transaction,
    payment: PaymentRecord,
    found: ProviderPayment | null,
  ): Promise<PaymentOutcome | null> {
    if (found !== null) await this.note(tx, payment.id, found);
    const isCancelRequested = payment.cancelRequestedAt !== null;
    const verdict = await this.fitting(tx, payment, judgePayment({ ...payment, isCancelRequested }, found));
    switch (verdict.action) {
      case 'nothing':
        return null;
      case 'open':
        await this.change(tx, payment.id, { state: 'pending' });
        return null;
      case 'succeed': {
        const credited = await this.credit(tx, payment);
        if (found !== null) await this.keepCard(tx, payment, found);
        if (found !== null) await this.total(tx, credited, found);
        await this.owed.collectWithin(tx, payment.organizationId);
        return 'succeeded';
      }
      case 'total':
        if (found !== null) await this.total(tx, payment, found);
        return null;
      case 'review':
        await this.change(tx, payment.id, { state: 'review', reviewReason: verdict.reason });
        await this.audit(tx, payment, 'payment.review', initialFields({ reason: verdict.reason }));
        return 'review';
      case 'fail':
        return this.fail(tx, payment, verdict.failureCode);
      case 'end':
        await this.change(tx, payment.id, {
          state: verdict.state,
          completedAt: new Date(),
          checkoutUrl: null,
        });
        return verdict.state;
    }
  }

  /** Credits a payment: grant, ledger, receipt, audit entry and events. The database refuses a second time. */
  async credit(tx: Transaction, payment: PaymentRecord): Promise<PaymentRecord> {
    const { id, organizationId, amount, kind, livemode } = payment;
    const prisma = prismaOf(tx);
    if (kind === 'auto') await this.autoTopUps.succeeded(tx, organizationId);
    // Always the wallet before the counter: otherwise two credits could deadlock.
    await lockAvailable(tx, organizationId);
    const receiptNumber = await nextReceiptNumber(tx, livemode);
    const grant = await this.wallets.topUpWithin(tx, payment);
    const row = await prisma.payment.update({
      where: { id },
      data: {
        state: 'succeeded',
        creditGrantId: grant.id,
        receiptNumber,
        completedAt: new Date(),
        checkoutUrl: null,
        failureCode: null,
        // Its totals are read next: it may have been refunded meanwhile.
        dueAt: new Date(),
      },
    });
    const changes = initialFields({ amount_nanos: nanosToJson(amount), credit_grant_id: grant.id });
    await this.audit(tx, payment, 'payment.succeed', changes);
    await this.announce(tx, payment, 'payment.succeeded', {
      payment_id: id,
      amount_nanos: nanosToJson(amount),
      credit_grant_id: grant.id,
      kind,
      livemode,
    });
    return toPayment(row);
  }

  /** A credit that the wallet has no room for waits for a person. */
  private async fitting(tx: Transaction, payment: PaymentRecord, verdict: Verdict) {
    if (verdict.action !== 'succeed') return verdict;
    await lockAvailable(tx, payment.organizationId);
    const wallet = await prismaOf(tx).wallet.findUnique({
      where: { organizationId: payment.organizationId },
    });
    const isFull = (wallet?.balanceNanos ?? 0n) > BALANCE_MAX - payment.amount;
    return isFull ? ({ action: 'review', reason: 'wallet_full' } as const) : verdict;
  }

  /** @param code of the provider. */
  async fail(tx: Transaction, payment: PaymentRecord, code: string): Promise<PaymentOutcome> {
    const failureCode = /^[A-Za-z0-9][A-Za-z0-9_.:*-]{0,127}$/.test(code) ? code : 'unknown';
    await this.change(tx, payment.id, { state: 'failed', failureCode });
    await this.announce(tx, payment, 'payment.failed', {
      payment_id: payment.id,
      amount_nanos: nanosToJson(payment.amount),
      failure_code: failureCode,
    });
    if (payment.kind === 'auto') await this.autoTopUps.failed(tx, payment.organizationId, failureCode);
    return 'failed';
  }

  /**
   * Refunds and disputes, by the provider's totals (docs/reference/payments.md#refunds-and-disputes). A refund was booked
   * when it was taken: where the totals have it, nothing is left to book; where the provider refused it, it comes back.
   */
  private async total(tx: Transaction, payment: PaymentRecord, found: ProviderPayment): Promise<void> {
    const totals: PaidBack = {
      refunded: nanosOfCents(found.refundedCents),
      withdrawn: nanosOfCents(found.withdrawnCents),
      reinstated: nanosOfCents(found.reinstatedCents),
    };
    const changes = changedFields(auditedTotals(payment), auditedTotals(totals));
    const kind = 'disputed_nanos' in changes && !('refunded_nanos' in changes) ? 'dispute' : 'refund';
    if (Object.keys(changes).length > 0) await this.noteTotals(tx, payment, totals, kind, changes);
    const target = clawBackTarget(payment.amount, await this.refunds.countWith(tx, payment.id, totals));
    if (target === payment.taken + payment.owed + payment.writtenOff) return;
    const available = await lockAvailable(tx, payment.organizationId);
    await bookClawBack(tx, payment, clawBack(payment, target, available), kind, this.newId);
    await this.owed.collectWithin(tx, payment.organizationId);
  }

  private async noteTotals(
    tx: Transaction,
    payment: PaymentRecord,
    totals: PaidBack,
    kind: 'refund' | 'dispute',
    changes: Changes,
  ): Promise<void> {
    await this.change(tx, payment.id, {
      state: creditedState(payment.amount, totals),
      refundedNanos: totals.refunded,
      withdrawnNanos: totals.withdrawn,
      reinstatedNanos: totals.reinstated,
    });
    await this.audit(tx, payment, `payment.${kind}`, changes);
    if (totals.withdrawn > payment.withdrawn)
      await this.autoTopUps.disable(tx, payment.organizationId, 'dispute');
  }

  /** A card is stored once, however often it is paid with. */
  private async keepCard(tx: Transaction, payment: PaymentRecord, found: ProviderPayment): Promise<void> {
    const { savedCard: card } = found;
    if (!payment.savePaymentMethod || card === null) return;
    const { organizationId, livemode, createdBy } = payment;
    const id = this.newId('paymentMethod');
    const kept = await prismaOf(tx).$executeRaw`
      INSERT INTO payment_methods (id, organization_id, livemode, state, provider_reference, brand, last4, exp_month,
        exp_year, created_by_type, created_by_id)
      VALUES (${id}, ${organizationId}, ${livemode}, 'active', ${card.reference}, ${card.brand}, ${card.last4},
        ${card.expMonth}, ${card.expYear}, ${createdBy.type}, ${createdBy.id})
      ON CONFLICT DO NOTHING`;
    if (kept === 0) return;
    const changes = initialFields({ payment_id: payment.id });
    await this.auditLog.append(tx, {
      ...authorOf(payment),
      action: 'payment_method.create',
      targetId: id,
      changes,
    });
  }

  private async note(tx: Transaction, id: string, found: ProviderPayment): Promise<void> {
    const { reference, intentReference, checkoutUrl, standing } = found;
    await this.change(tx, id, {
      providerReference: reference,
      ...(intentReference === null ? {} : { intentReference }),
      checkoutUrl: standing === 'open' ? checkoutUrl : null,
    });
  }

  private async change(
    tx: Transaction,
    id: string,
    data: Parameters<ReturnType<typeof prismaOf>['payment']['update']>[0]['data'],
  ): Promise<void> {
    await prismaOf(tx).payment.update({ where: { id }, data });
  }

  private audit(
    tx: Transaction,
    payment: PaymentRecord,
    action: `payment.${string}`,
    changes: Changes,
  ): Promise<void> {
    return this.auditLog.append(tx, { ...authorOf(payment), action, targetId: payment.id, changes });
  }

  private announce<T extends EventType>(
    tx: Transaction,
    { organizationId }: PaymentRecord,
    type: T,
    data: EventData[T],
  ): Promise<void> {
    return this.outbox.append(tx, recordEvent(this.newId('event'), type, organizationId, Date.now(), data));
  }
}

/** The provider decides, whoever began the payment. */
const authorOf = ({ organizationId }: PaymentRecord) =>
  ({ organizationId, actor: { type: 'system', id: null }, requestId: null }) as const;

const auditedTotals = ({ refunded, withdrawn, reinstated }: PaidBack) => ({
  refunded_nanos: nanosToJson(refunded),
  disputed_nanos: nanosToJson(withdrawn) - nanosToJson(reinstated),
});

/** Numbers have no gaps: the counter stays locked until the receipt is committed. Those of test mode are counted apart. */
async function nextReceiptNumber(tx: Transaction, livemode: boolean): Promise<string> {
  const [counter] = await prismaOf(tx).$queryRaw<{ number: bigint }[]>`
    UPDATE receipt_counters SET last_number = last_number + 1 WHERE livemode = ${livemode}
    RETURNING last_number AS number`;
  if (counter === undefined) throw new Error('There is no counter of receipts');
  return `${livemode ? 'R' : 'TEST'}-${String(counter.number).padStart(6, '0')}`;
}
