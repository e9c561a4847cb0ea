import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Actor, type Nanos, type Page, type Slice } from '@svc/kernel';
import { CURRENCY } from '../rules/amount';
import { CHECKOUT_MS } from '../rules/next-look';
import { isOpen, type PaymentState, paymentStates } from '../rules/payment-state';
import { toPayment, type PaymentRecord } from './payment-record';

interface NewPayment {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: Nanos;
  readonly livemode: boolean;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly idempotencyKey: string | null;
  /** True where the card is kept. */
  readonly savePaymentMethod?: boolean;
  /** `checkout` by default. */
  readonly kind?: PaymentRecord['kind'];
  /** The card that an automatic payment is charged to. */
  readonly paymentMethodId?: string | null;
  readonly createdBy: Actor;
  readonly at: Date;
}

/** Longer than the provider takes to answer. */
const OPENED_WITHIN_MS = 15_000;

export class PaymentStore {
  constructor(private readonly database: Database) {}

  /** Stores it as `created`. It is due soon, so that a worker asks the provider where its maker is killed. */
  async createPayment(tx: Transaction, payment: NewPayment): Promise<PaymentRecord> {
    const { amount, createdBy, at, kind = 'checkout', ...fields } = payment;
    // Nobody asks about an automatic one but a worker.
    const dueInMs = kind === 'auto' ? 0 : OPENED_WITHIN_MS;
    const row = await prismaOf(tx).payment.create({
      data: {
        ...fields,
        kind,
        amountNanos: amount,
        currency: CURRENCY,
        state: 'created',
        createdByType: createdBy.type,
        createdById: createdBy.id,
        createdAt: at,
        dueAt: new Date(at.getTime() + dueInMs),
      },
    });
    return toPayment(row);
  }

  /**
   * The payment of the last 24 hours with this key. The transaction must have locked the organization, so that none is
   * made meanwhile.
   */
  async findByKey(
    tx: Transaction,
    organizationId: string,
    idempotencyKey: string,
  ): Promise<PaymentRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`
      UPDATE payments SET idempotency_key = NULL
      WHERE organization_id = ${organizationId} AND idempotency_key = ${idempotencyKey}
        AND created_at < now() - interval '24 hours'`;
    const row = await prisma.payment.findUnique({
      where: { organizationId_idempotencyKey: { organizationId, idempotencyKey } },
    });
    return row && toPayment(row);
  }

  /** Counts the checkouts that can still be paid. The transaction must have locked the organization. */
  async countOpen(tx: Transaction, organizationId: string): Promise<number> {
    const states = paymentStates.filter(isOpen);
    const notOlderThan = new Date(Date.now() - CHECKOUT_MS);
    return prismaOf(tx).payment.count({
      where: {
        organizationId,
        kind: 'checkout',
        state: { in: states },
        createdAt: { gt: notOlderThan },
      },
    });
  }

  async findPayment(organizationId: string, id: string): Promise<PaymentRecord | null> {
    const row = await this.database.prisma.payment.findFirst({ where: { organizationId, id } });
    return row && toPayment(row);
  }

  /** Of any organization: for the operator. */
  async findAnywhere(id: string): Promise<PaymentRecord | null> {
    const row = await this.database.prisma.payment.findUnique({ where: { id } });
    return row && toPayment(row);
  }

  async listPayments(organizationId: string, page: Page): Promise<Slice<PaymentRecord>> {
    const rows = await this.database.prisma.payment.findMany({
      ...pageArguments(page),
      where: { organizationId, ...olderThan(page) },
    });
    return sliceOf(rows, page, toPayment);
  }

  /** Of all organizations: for the operator. */
  async listAll(page: Page, state: PaymentState | undefined): Promise<Slice<PaymentRecord>> {
    const rows = await this.database.prisma.payment.findMany({
      ...pageArguments(page),
      where: { ...(state === undefined ? {} : { state }), ...olderThan(page) },
    });
    return sliceOf(rows, page, toPayment);
  }

  /** Locks it until the transaction ends. */
  async lockPayment(tx: Transaction, id: string): Promise<PaymentRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM payments WHERE id = ${id} FOR NO KEY UPDATE`;
    const row = await prisma.payment.findUnique({ where: { id } });
    return row && toPayment(row);
  }

  /** Its maker no longer wants it. It is cancelled once the provider confirms that it can't be paid. */
  async requestCancel(tx: Transaction, id: string): Promise<PaymentRecord> {
    const row = await prismaOf(tx).payment.update({
      where: { id },
      data: { cancelRequestedAt: new Date(), dueAt: new Date() },
    });
    return toPayment(row);
  }

  async dismiss(tx: Transaction, id: string): Promise<PaymentRecord> {
    const data = { state: 'dismissed', completedAt: new Date(), dueAt: null };
    return toPayment(await prismaOf(tx).payment.update({ where: { id }, data }));
  }
}
