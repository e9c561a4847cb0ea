import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Actor, type Page, type Slice } from '@svc/kernel';
import { toPaymentMethod, type PaymentMethodRecord } from './payment-method-record';

interface NewPaymentMethod {
  readonly id: string;
  readonly organizationId: string;
  readonly livemode: boolean;
  readonly createdBy: Actor;
  readonly at: Date;
}

/** Longer than the provider takes to open a setup. */
const OPENED_WITHIN_MS = 60_000;

/** The cards of organizations that the payment provider keeps. */
export class PaymentMethodStore {
  constructor(private readonly database: Database) {}

  /** Stores one whose card is still to be entered. Due soon, so that one that was never opened ends. */
  async createPaymentMethod(tx: Transaction, { createdBy, at, ...fields }: NewPaymentMethod): Promise<void> {
    await prismaOf(tx).paymentMethod.create({
      data: {
        ...fields,
        state: 'pending',
        createdByType: createdBy.type,
        createdById: createdBy.id,
        createdAt: at,
        dueAt: new Date(at.getTime() + OPENED_WITHIN_MS),
      },
    });
  }

  /** Those with a card, and those whose card may still be entered. Call it with the organization locked. */
  async countPaymentMethods(tx: Transaction, organizationId: string): Promise<number> {
    return prismaOf(tx).paymentMethod.count({
      where: { organizationId, state: { in: ['pending', 'active'] } },
    });
  }

  async listPaymentMethods(organizationId: string, page: Page): Promise<Slice<PaymentMethodRecord>> {
    const rows = await this.database.prisma.paymentMethod.findMany({
      ...pageArguments(page),
      where: { organizationId, state: 'active', ...olderThan(page) },
    });
    return sliceOf(rows, page, toPaymentMethod);
  }

  /** One with a card. */
  async findPaymentMethod(organizationId: string, id: string): Promise<PaymentMethodRecord | null> {
    const row = await this.database.prisma.paymentMethod.findFirst({
      where: { organizationId, id, state: 'active' },
    });
    return row && toPaymentMethod(row);
  }

  /** One with a card, locked until the transaction ends. */
  async lockPaymentMethod(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<PaymentMethodRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM payment_methods WHERE id = ${id} FOR NO KEY UPDATE`;
    const row = await prisma.paymentMethod.findFirst({ where: { organizationId, id, state: 'active' } });
    return row && toPaymentMethod(row);
  }

  /** It can be charged no more. It is due until the provider has forgotten its card. */
  async deletePaymentMethod(tx: Transaction, id: string): Promise<void> {
    await prismaOf(tx).paymentMethod.update({
      where: { id },
      data: { state: 'deleted', dueAt: new Date() },
    });
  }
}
