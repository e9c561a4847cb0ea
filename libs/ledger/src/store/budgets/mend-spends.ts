import { prismaOf, type Transaction } from '@svc/database';

/** Until the transaction ends, calls of the organization neither reserve nor settle. */
export async function lockWallet(tx: Transaction, organizationId: string): Promise<void> {
  await prismaOf(tx).$queryRaw`SELECT FROM wallets WHERE organization_id = ${organizationId} FOR UPDATE`;
}

/**
 * Corrects drift in the current days and months of enabled budgets. Locks the wallet.
 * @returns how many periods were corrected.
 */
export async function mendSpends(tx: Transaction, organizationId: string): Promise<number> {
  await lockWallet(tx, organizationId);
  return prismaOf(tx).$executeRaw`
    UPDATE budget_spends s SET spent_nanos = d.spent_nanos, reserved_nanos = d.reserved_nanos,
      review_due = true, updated_at = now()
    FROM budget_drift d
    WHERE d.organization_id = ${organizationId} AND s.budget_id = d.budget_id AND s.period_key = d.period_key`;
}
