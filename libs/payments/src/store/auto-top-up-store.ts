import { type Database, prismaOf, type Transaction } from '@svc/database';
import { type AutoTopUp } from '@svc/database/rows';
import { nanos, type Nanos } from '@svc/kernel';
import { type AutoTopUpRule } from '../rules/auto-top-up';

export interface AutoTopUpSettings extends AutoTopUpRule {
  readonly enabled: boolean;
  readonly paymentMethodId: string | null;
}

export interface AutoTopUpRecord extends AutoTopUpSettings {
  readonly organizationId: string;
  readonly disabledReason: string | null;
  /** Failed charges in a row. */
  readonly failures: number;
  readonly retryAt: Date | null;
}

/** When wallets are topped up by themselves. An organization has one row, or none. */
export class AutoTopUpStore {
  constructor(private readonly database: Database) {}

  async findAutoTopUp(organizationId: string): Promise<AutoTopUpRecord | null> {
    const row = await this.database.prisma.autoTopUp.findUnique({ where: { organizationId } });
    return row && toAutoTopUp(row);
  }

  /** Locks it until the transaction ends. */
  async lockAutoTopUp(tx: Transaction, organizationId: string): Promise<AutoTopUpRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM auto_top_ups WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`;
    const row = await prisma.autoTopUp.findUnique({ where: { organizationId } });
    return row && toAutoTopUp(row);
  }

  /** @param forgets whether failures before this count no more. */
  async putAutoTopUp(
    tx: Transaction,
    organizationId: string,
    { enabled, threshold, amount, monthlyCap, paymentMethodId }: AutoTopUpSettings,
    forgets: boolean,
  ): Promise<AutoTopUpRecord> {
    const data = {
      enabled,
      thresholdNanos: threshold,
      amountNanos: amount,
      monthlyCapNanos: monthlyCap,
      paymentMethodId,
      ...(enabled ? { disabledReason: null } : {}),
      ...(forgets ? { failures: 0, retryAt: null } : {}),
    };
    const create = { organizationId, ...data };
    const row = await prismaOf(tx).autoTopUp.upsert({ where: { organizationId }, create, update: data });
    return toAutoTopUp(row);
  }

  /** The sum charged in this calendar month, in UTC, with charges that are still open. */
  async chargedThisMonth(organizationId: string, tx?: Transaction): Promise<Nanos> {
    const prisma = tx === undefined ? this.database.prisma : prismaOf(tx);
    const [row] = await prisma.$queryRaw<{ charged: bigint }[]>`
      SELECT coalesce(sum(amount_nanos), 0)::bigint AS charged FROM payments
      WHERE organization_id = ${organizationId} AND kind = 'auto' AND state NOT IN ('failed', 'expired', 'cancelled')
        AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
    return nanos(row?.charged ?? 0n);
  }
}

const toAutoTopUp = (row: AutoTopUp): AutoTopUpRecord => ({
  organizationId: row.organizationId,
  enabled: row.enabled,
  threshold: nanos(row.thresholdNanos),
  amount: nanos(row.amountNanos),
  monthlyCap: nanos(row.monthlyCapNanos),
  paymentMethodId: row.paymentMethodId,
  disabledReason: row.disabledReason,
  failures: row.failures,
  retryAt: row.retryAt,
});
