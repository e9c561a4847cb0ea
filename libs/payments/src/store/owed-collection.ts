import { type Database, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type Payment } from '@svc/database/rows';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { collectOwed, writeOff } from '../rules/claw-back';
import { bookClawBack, lockAvailable } from './owed-bookings';
import { toPayment, type PaymentRecord } from './payment-record';

const PAYMENTS_MAX = 100;

/** Takes what wallets owe for refunds and disputes, as money becomes available. */
export class OwedCollection {
  private readonly unitOfWork: UnitOfWork;

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {
    this.unitOfWork = new UnitOfWork(database);
  }

  /**
   * Takes what is owed from one wallet, the longest owed first. Comes last in a transaction, because calls of the
   * organization wait from here to the commit.
   */
  async collectWithin(tx: Transaction, organizationId: string): Promise<void> {
    let available = await lockAvailable(tx, organizationId);
    if (available <= 0n) return;
    // Whoever locks a payment waits for its wallet, which is locked here: waiting for that payment would be a deadlock.
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      SELECT id FROM payments WHERE organization_id = ${organizationId} AND owed_nanos > 0
      ORDER BY owed_since, id LIMIT ${PAYMENTS_MAX} FOR NO KEY UPDATE SKIP LOCKED`;
    for (const payment of await this.read(tx, rows)) {
      if (available <= 0n) return;
      const after = collectOwed(payment, available);
      available = (available - (after.taken - payment.taken)) as typeof available;
      await bookClawBack(tx, payment, after, kindOf(payment), this.newId);
    }
  }

  /** Collects from every wallet that owes and has something. @returns whether there is more to look at. */
  async collect(limit: number): Promise<boolean> {
    const rows = await this.database.prisma.$queryRaw<{ organizationId: string }[]>`
      SELECT organization_id AS "organizationId" FROM wallets
      WHERE owed_nanos > 0 AND balance_nanos > held_nanos LIMIT ${limit}`;
    for (const { organizationId } of rows) {
      await this.unitOfWork.transaction((tx) => this.collectWithin(tx, organizationId));
    }
    return rows.length === limit;
  }

  /** Books as the platform's loss what has been owed for longer. @returns whether there is more to look at. */
  async writeOffOlderThan(ageMs: number, limit: number): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
        SELECT id FROM payments WHERE owed_nanos > 0 AND owed_since < now() - ${ageMs} * interval '1 ms'
        ORDER BY organization_id, id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`;
      for (const payment of await this.read(tx, rows)) {
        await lockAvailable(tx, payment.organizationId);
        await bookClawBack(tx, payment, writeOff(payment), kindOf(payment), this.newId);
      }
      return rows.length === limit;
    });
  }

  private async read(tx: Transaction, rows: readonly { id: string }[]): Promise<readonly PaymentRecord[]> {
    const ids = rows.map(({ id }) => id);
    const found = await prismaOf(tx).payment.findMany({ where: { id: { in: ids } } });
    const byId = new Map(found.map((row: Payment) => [row.id, toPayment(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

const kindOf = ({ withdrawn, reinstated }: PaymentRecord): 'refund' | 'dispute' =>
  withdrawn > reinstated ? 'dispute' : 'refund';
