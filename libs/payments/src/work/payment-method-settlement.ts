import { IS_DUE, type Database } from '@svc/database';
import { Prisma, type PaymentMethod } from '@svc/database/rows';
import { type ProviderSetup, type SavedCard } from '../rules/card';
import { CHECKOUT_MS } from '../rules/next-look';
import { type PaymentProvider } from '../rules/provider';
import { PaymentCustomers } from './payment-customers';

interface PaymentMethodSettlementOptions {
  readonly database: Database;
  readonly provider: PaymentProvider;
  /** Public, without a slash at its end: where the person comes back to. */
  readonly baseUrl: string;
  /** `SVC_PAYMENT_RECONCILE_SECONDS` */
  readonly reconcileSeconds: number;
}

interface Returns {
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
}

const LEASE_MS = 60_000;
const ASK_AGAIN_MS = 15_000;
const HOUR_MS = 3_600_000;

/**
 * Asks the provider what became of a card, and stores what it answers (docs/decisions/0045). As with payments, no
 * transaction is open while it is asked, and a crash anywhere leads to the same question again.
 */
export class PaymentMethodSettlement {
  /** Asks whether a payment method is due. */
  readonly isDue: () => Promise<boolean>;
  private readonly customers: PaymentCustomers;

  constructor(private readonly options: PaymentMethodSettlementOptions) {
    this.isDue = options.database.dueWork.of(`FROM payment_methods WHERE ${IS_DUE}`);
    this.customers = new PaymentCustomers(options.database, options.provider);
  }

  /** @returns where the card is entered. @throws ProviderUnavailable; the payment method then ends. */
  async open(id: string, organizationId: string, { successUrl, cancelUrl }: Returns): Promise<string | null> {
    const { provider, baseUrl, database, reconcileSeconds } = this.options;
    const setup = await provider.openSetup({
      paymentMethodId: id,
      customerReference: await this.customers.referenceOf(organizationId),
      successUrl: successUrl ?? `${baseUrl}/console/wallet`,
      cancelUrl,
    });
    await database.prisma.$executeRaw`
      UPDATE payment_methods SET setup_reference = ${setup.reference},
        due_at = clock_timestamp() + ${reconcileSeconds} * interval '1 second'
      WHERE id = ${id} AND state = 'pending'`;
    return setup.url;
  }

  /** Forgets the card of a deleted payment method now, if the provider answers; else a worker does. @throws ProviderUnavailable */
  async check(id: string): Promise<void> {
    for (const claimed of await this.claim(id, 1)) await this.settle(claimed);
  }

  /** Asks about those that are due. @returns how many were, and what went wrong. */
  async checkDue(
    limit: number,
  ): Promise<{ readonly checked: number; readonly failures: readonly unknown[] }> {
    const claimed = await this.claim(null, limit);
    const settled = await Promise.allSettled(claimed.map((method) => this.settle(method)));
    const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    return { checked: claimed.length, failures };
  }

  /** No other worker asks meanwhile, unless an event makes one due: as for payments. */
  private async claim(id: string | null, limit: number): Promise<readonly PaymentMethod[]> {
    const { prisma } = this.options.database;
    const rows = await prisma.$queryRaw<{ id: string }[]>`
      WITH due AS MATERIALIZED (
        SELECT id FROM payment_methods
        WHERE id = ${id} OR (${id}::text IS NULL AND ${Prisma.raw(IS_DUE)})
        ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE payment_methods m SET due_at = clock_timestamp() + ${LEASE_MS} * interval '1 ms'
      FROM due WHERE m.id = due.id RETURNING m.id`;
    return prisma.paymentMethod.findMany({ where: { id: { in: rows.map((row) => row.id) } } });
  }

  private async settle(method: PaymentMethod): Promise<void> {
    try {
      if (method.state === 'deleted') await this.forget(method);
      else if (method.state === 'pending') await this.lookAt(method);
      else await this.dueIn(method, null);
    } catch (error) {
      await this.dueIn(method, ASK_AGAIN_MS);
      throw error;
    }
  }

  private async forget(method: PaymentMethod): Promise<void> {
    if (method.providerReference !== null) await this.options.provider.detach(method.providerReference);
    await this.dueIn(method, null);
  }

  private async lookAt(method: PaymentMethod): Promise<void> {
    const { setupReference } = method;
    // Nobody was ever shown where to enter a card.
    if (setupReference === null) return this.expire(method);
    const setup = await this.options.provider.findSetup(setupReference);
    const card = setup === null ? null : cardOf(method, setup);
    if (card !== null) return this.activate(method, card);
    const isOld = Date.now() - method.createdAt.getTime() > CHECKOUT_MS;
    return setup?.standing === 'open' && !isOld ? this.dueIn(method, HOUR_MS) : this.expire(method);
  }

  /** A card that is stored already is not stored twice. */
  private async activate({ id }: PaymentMethod, card: SavedCard): Promise<void> {
    await this.options.database.prisma.$executeRaw`
      UPDATE payment_methods SET state = 'active', provider_reference = ${card.reference}, brand = ${card.brand},
        last4 = ${card.last4}, exp_month = ${card.expMonth}, exp_year = ${card.expYear}, due_at = NULL
      WHERE id = ${id} AND state = 'pending'`;
  }

  private async expire({ id }: PaymentMethod): Promise<void> {
    await this.options.database.prisma.$executeRaw`
      UPDATE payment_methods SET state = 'expired', due_at = NULL WHERE id = ${id} AND state = 'pending'`;
  }

  /** Unless an event has made it due meanwhile, which then counts. */
  private async dueIn({ id, dueAt, state }: PaymentMethod, ms: number | null): Promise<void> {
    await this.options.database.prisma.$executeRaw`
      UPDATE payment_methods SET due_at = clock_timestamp() + ${ms}::int * interval '1 ms'
      WHERE id = ${id} AND due_at = ${dueAt} AND state = ${state}`;
  }
}

/** A card that differs from what was asked for is not stored. */
const cardOf = ({ id, livemode }: PaymentMethod, setup: ProviderSetup): SavedCard | null =>
  setup.paymentMethodId === id && setup.livemode === livemode ? setup.card : null;
