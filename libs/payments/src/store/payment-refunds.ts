import { type Database, prismaOf, type Transaction } from '@svc/database';
import { addNanos, nanos, type Nanos, type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { clawBack, clawBackTarget, type PaidBack } from '../rules/claw-back';
import { isCredited } from '../rules/payment-state';
import { bookClawBack, lockAvailable } from './owed-bookings';
import { type PaymentRecord } from './payment-record';

interface NewPaymentRefund {
  readonly id: string;
  /** Whole cents; null: all that is left of the payment. */
  readonly amount: Nanos | null;
  readonly reason: string;
}

interface RefundToAsk {
  readonly id: string;
  readonly amount: Nanos;
}

/**
 * The operator's refunds. One is `requested` from the moment that it is taken until the provider's totals have it, and
 * counts beside them: against its payment, and against the wallet.
 */
export class PaymentRefunds {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /**
   * Takes a refund before the provider is asked for it, and its money from the wallet. The payment is then due, so that a
   * worker asks in any case, and an older answer counts no more.
   *
   * The transaction must have locked the payment. The wallet is locked here, so that refunds of several payments at once
   * are decided one after another.
   * @returns what is refunded; null, and nothing changes, for more than is left of the payment or than its wallet has
   * available.
   */
  async takeRefund(
    tx: Transaction,
    payment: PaymentRecord,
    { id, amount: asked, reason }: NewPaymentRefund,
  ): Promise<Nanos | null> {
    if (!isCredited(payment.state)) return null;
    const balance = await lockAvailable(tx, payment.organizationId);
    const { available, requested } = await this.standing(tx, payment, balance);
    const paidBack = withRequested(payment, requested);
    const left = nanos(payment.amount - clawBackTarget(payment.amount, paidBack));
    const amount = asked ?? left;
    if (amount <= 0n || amount > left || amount > available) return null;
    const prisma = prismaOf(tx);
    await prisma.paymentRefund.create({
      data: { id, paymentId: payment.id, amountNanos: amount, reason, state: 'requested' },
    });
    await prisma.payment.update({
      where: { id: payment.id },
      data: { dueAt: new Date(), fence: { increment: 1 } },
    });
    const target = clawBackTarget(payment.amount, withRequested(paidBack, amount));
    await bookClawBack(tx, payment, clawBack(payment, target, balance), 'refund', this.newId);
    return amount;
  }

  async isRefused(id: string): Promise<boolean> {
    const row = await this.database.prisma.paymentRefund.findUnique({ where: { id } });
    return row?.state === 'refused';
  }

  /** Refunds that the provider has not taken yet. */
  async listToAsk(paymentId: string): Promise<readonly RefundToAsk[]> {
    const rows = await this.database.prisma.paymentRefund.findMany({
      where: { paymentId, state: 'requested', acceptedAt: null },
      orderBy: { createdAt: 'asc' },
    });
    return rows.map(({ id, amountNanos }) => ({ id, amount: nanos(amountNanos) }));
  }

  /** The provider took it: it is asked for no more. */
  async accept(id: string): Promise<void> {
    await this.database.prisma.paymentRefund.updateMany({
      where: { id, state: 'requested' },
      data: { acceptedAt: new Date() },
    });
  }

  /** The provider refused it for good. Its money returns to the wallet with the next totals that are booked. */
  async refuse(id: string, failureCode: string): Promise<void> {
    await this.database.prisma.paymentRefund.updateMany({
      where: { id, state: 'requested' },
      data: { state: 'refused', failureCode },
    });
  }

  /**
   * The totals, read after the provider was asked for each refund, have those that it took.
   * @returns the totals with the refunds that they do not have yet.
   */
  async countWith(tx: Transaction, paymentId: string, totals: PaidBack): Promise<PaidBack> {
    await prismaOf(tx).paymentRefund.updateMany({
      where: { paymentId, state: 'requested', acceptedAt: { not: null } },
      data: { state: 'made' },
    });
    return withRequested(totals, await requestedOf(tx, paymentId));
  }

  private async standing(
    tx: Transaction,
    { id, organizationId }: PaymentRecord,
    balance: Nanos,
  ): Promise<{ readonly available: Nanos; readonly requested: Nanos }> {
    const wallet = await prismaOf(tx).wallet.findUnique({ where: { organizationId } });
    return {
      available: nanos(balance - (wallet?.owedNanos ?? 0n)),
      requested: await requestedOf(tx, id),
    };
  }
}

async function requestedOf(tx: Transaction, paymentId: string): Promise<Nanos> {
  const { _sum: sum } = await prismaOf(tx).paymentRefund.aggregate({
    where: { paymentId, state: 'requested' },
    _sum: { amountNanos: true },
  });
  return nanos(sum.amountNanos ?? 0n);
}

const withRequested = ({ refunded, withdrawn, reinstated }: PaidBack, requested: Nanos): PaidBack => ({
  refunded: addNanos(refunded, requested),
  withdrawn,
  reinstated,
});
