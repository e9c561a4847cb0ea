import { IS_DUE, type Database, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type NewId } from '@svc/kernel';
import { CHECKOUT_MS, nextLook, REPEATABLE_MS } from '../rules/next-look';
import { ChargeRefused, type PaymentProvider, type ProviderPayment, RefundRefused } from '../rules/provider';
import { PaymentOutcomes, type PaymentOutcome } from '../store/payment-outcomes';
import { toPayment, type PaymentRecord } from '../store/payment-record';
import { PaymentRefunds } from '../store/payment-refunds';
import { PaymentCustomers } from './payment-customers';
import { PaymentMethodSettlement } from './payment-method-settlement';

interface SettlementOptions {
  readonly database: Database;
  readonly provider: PaymentProvider;
  /** Public, without a slash at its end: where the payer comes back to. */
  readonly baseUrl: string;
  /** `SVC_PAYMENT_RECONCILE_SECONDS` */
  readonly reconcileSeconds: number;
  /** Called with each change of a state, once it is committed. */
  readonly onOutcome?: (kind: PaymentRecord['kind'], outcome: PaymentOutcome) => void;
  readonly newId?: NewId;
}

/** Longer than the provider takes for all that is asked at once. */
const LEASE_MS = 60_000;
const ASK_AGAIN_MS = 15_000;

interface Claim {
  readonly payment: PaymentRecord;
  /** By the database's clock. */
  readonly now: Date;
}

/**
 * Asks the provider what a payment is now, and does what follows (docs/decisions/0044). No transaction is open while the
 * provider is asked: each question takes a higher fence, and only the answer to the last one counts. The payment stays due
 * until an answer is booked, so a crash anywhere leads to the same question again.
 *
 * Not `LeasedWork`: an event of the provider makes a payment due at once, also while it is asked about, and voids the answer.
 * So nobody has a payment, and a question only moves `due_at`.
 */
export class PaymentSettlement {
  /** The same for the cards that the provider keeps. */
  readonly methods: PaymentMethodSettlement;
  /** Asks whether a payment is due. */
  readonly isDue: () => Promise<boolean>;
  private readonly unitOfWork: UnitOfWork;
  private readonly outcomes: PaymentOutcomes;
  private readonly customers: PaymentCustomers;
  private readonly refunds: PaymentRefunds;

  constructor(private readonly options: SettlementOptions) {
    this.isDue = options.database.dueWork.of(`FROM payments WHERE ${IS_DUE}`);
    this.unitOfWork = new UnitOfWork(options.database);
    this.outcomes = new PaymentOutcomes(options.database, options.newId);
    this.methods = new PaymentMethodSettlement(options);
    this.customers = new PaymentCustomers(options.database, options.provider);
    this.refunds = new PaymentRefunds(options.database, options.newId);
  }

  /**
   * Asks about one payment now.
   * @throws ProviderUnavailable; the payment is then asked about later.
   */
  async check(paymentId: string): Promise<void> {
    const [claim] = await this.claim(paymentId, 1);
    if (claim !== undefined) await this.settle(claim);
  }

  /**
   * Asks about payments that are due.
   * @returns how many were; a provider that is out of reach fails none of them.
   */
  async checkDue(
    limit: number,
  ): Promise<{ readonly checked: number; readonly failures: readonly unknown[] }> {
    const claims = await this.claim(null, limit);
    const settled = await Promise.allSettled(claims.map((claim) => this.settle(claim)));
    const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    return { checked: claims.length, failures };
  }

  private async claim(paymentId: string | null, limit: number): Promise<readonly Claim[]> {
    const { database } = this.options;
    const rows = await database.prisma.$queryRaw<{ id: string; now: Date }[]>`
      WITH due AS MATERIALIZED (
        SELECT id FROM payments
        WHERE id = ${paymentId} OR (${paymentId}::text IS NULL AND ${Prisma.raw(IS_DUE)})
        ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE payments p SET fence = p.fence + 1, due_at = clock_timestamp() + ${LEASE_MS} * interval '1 ms'
      FROM due WHERE p.id = due.id
      RETURNING p.id, clock_timestamp() AS now`;
    const found = await database.prisma.payment.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    const times = new Map(rows.map(({ id, now }) => [id, now]));
    return found.map((row) => ({ payment: toPayment(row), now: times.get(row.id) as Date }));
  }

  private async settle(claim: Claim): Promise<void> {
    try {
      await this.refundAsRequested(claim.payment);
      const found = await this.ask(claim).catch(asRefusal);
      if (found instanceof ChargeRefused) await this.bookRefusal(claim, found);
      else await this.book(claim, found);
    } catch (error) {
      const { id, fence } = claim.payment;
      await this.options.database.prisma.$executeRaw`
        UPDATE payments SET due_at = clock_timestamp() + ${ASK_AGAIN_MS} * interval '1 ms'
        WHERE id = ${id} AND fence = ${fence}`;
      throw error;
    }
  }

  /** @returns what the payment is now; null where the provider does not know it. */
  private async ask({ payment, now }: Claim): Promise<ProviderPayment | null> {
    const { provider } = this.options;
    const ageMs = now.getTime() - payment.createdAt.getTime();
    const found = await this.find(payment, ageMs);
    const isWanted = payment.cancelRequestedAt === null && ageMs < CHECKOUT_MS;
    if (found?.standing !== 'open' || isWanted) return found;
    await provider.end(found.reference);
    return provider.find(found.reference);
  }

  private async find(payment: PaymentRecord, ageMs: number): Promise<ProviderPayment | null> {
    const { provider, baseUrl } = this.options;
    if (payment.providerReference !== null) return provider.find(payment.providerReference);
    // Nobody was ever shown where to pay it.
    if (payment.state !== 'created' || ageMs > REPEATABLE_MS) return null;
    if (payment.kind === 'auto') return this.charge(payment);
    return provider.open({
      paymentId: payment.id,
      organizationId: payment.organizationId,
      amount: payment.amount,
      successUrl: payment.successUrl ?? `${baseUrl}/console/wallet`,
      cancelUrl: payment.cancelUrl,
      saveFor: payment.savePaymentMethod ? await this.customers.referenceOf(payment.organizationId) : null,
    });
  }

  /** A refund's id is the provider's idempotency key, so a refund that is asked for again is not made again. */
  private async refundAsRequested({ id, intentReference }: PaymentRecord): Promise<void> {
    if (intentReference === null) return;
    for (const { id: refundId, amount } of await this.refunds.listToAsk(id)) {
      const refused = await this.options.provider
        .refund({ refundId, intentReference, amount })
        .then(() => null, asRefundRefused);
      await (refused === null
        ? this.refunds.accept(refundId)
        : this.refunds.refuse(refundId, refused.failureCode));
    }
  }

  /** A deleted card is asked for all the same: it may have been charged before, under the same key. */
  private async charge(payment: PaymentRecord): Promise<ProviderPayment> {
    const { prisma } = this.options.database;
    const method = await prisma.paymentMethod.findFirst({ where: { id: payment.paymentMethodId ?? '' } });
    if (method?.providerReference == null)
      throw new ChargeRefused('There is no card.', 'payment_method_missing');
    return this.options.provider.charge({
      paymentId: payment.id,
      amount: payment.amount,
      customerReference: await this.customers.referenceOf(payment.organizationId),
      cardReference: method.providerReference,
    });
  }

  /** Nothing was charged, and nothing will be. */
  private async bookRefusal(
    { payment: { id, fence } }: Claim,
    { failureCode }: ChargeRefused,
  ): Promise<void> {
    const failed = await this.unitOfWork.transaction(async (tx) => {
      const payment = await lockClaimed(tx, id, fence);
      if (payment?.state !== 'created') return null;
      await this.outcomes.fail(tx, payment, failureCode);
      await this.scheduleNext(tx, id);
      return payment;
    });
    if (failed !== null) this.options.onOutcome?.(failed.kind, 'failed');
  }

  private async book({ payment: { id, fence } }: Claim, found: ProviderPayment | null): Promise<void> {
    const booked = await this.unitOfWork.transaction(async (tx) => {
      const payment = await lockClaimed(tx, id, fence);
      if (payment === null) return null;
      const outcome = await this.outcomes.follow(tx, payment, found);
      await this.scheduleNext(tx, id);
      return { payment, outcome };
    });
    if (booked?.outcome != null) this.options.onOutcome?.(booked.payment.kind, booked.outcome);
  }

  private async scheduleNext(tx: Transaction, id: string): Promise<void> {
    const prisma = prismaOf(tx);
    const payment = toPayment(await prisma.payment.findUniqueOrThrow({ where: { id } }));
    const [clock] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
    const nowMs = (clock?.now ?? payment.createdAt).getTime();
    const looked = { state: payment.state, createdAtMs: payment.createdAt.getTime() };
    const dueMs = nextLook(looked, nowMs, this.options.reconcileSeconds * 1_000);
    await prisma.payment.update({ where: { id }, data: { dueAt: dueMs === null ? null : new Date(dueMs) } });
  }
}

function asRefusal(error: unknown): ChargeRefused {
  if (error instanceof ChargeRefused) return error;
  throw error;
}

function asRefundRefused(error: unknown): RefundRefused {
  if (error instanceof RefundRefused) return error;
  throw error;
}

/** @returns null where a later question or an event has come in between. */
async function lockClaimed(tx: Transaction, id: string, fence: bigint): Promise<PaymentRecord | null> {
  const prisma = prismaOf(tx);
  const locked = await prisma.$queryRaw<object[]>`
    SELECT 1 FROM payments WHERE id = ${id} AND fence = ${fence} FOR NO KEY UPDATE`;
  if (locked.length === 0) return null;
  return toPayment(await prisma.payment.findUniqueOrThrow({ where: { id } }));
}
