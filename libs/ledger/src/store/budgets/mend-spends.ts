import { prismaOf, type Transaction } from '@svc/database';
import { type Budget, EACH } from '../../rules/budget/budget';

/**
 * How long ago a row of a budget of each may have changed and still be corrected. Rows of nobody in particular can be a
 * million, and drift comes of calls that were in flight when the row was made.
 */
export const RECENT = `(subject IS NULL OR updated_at > now() - interval '1 hour')`;

/** Until the transaction ends, calls of the organization neither reserve nor settle. */
export async function lockWallet(tx: Transaction, organizationId: string): Promise<void> {
  await prismaOf(tx).$queryRaw`SELECT FROM wallets WHERE organization_id = ${organizationId} FOR UPDATE`;
}

/**
 * Corrects drift in the current periods of enabled budgets, sessions aside. Locks the wallet.
 * @returns how many periods were corrected.
 */
export async function mendSpends(tx: Transaction, organizationId: string): Promise<number> {
  await lockWallet(tx, organizationId);
  return prismaOf(tx).$executeRawUnsafe(
    `UPDATE budget_spends s SET spent_nanos = d.spent_nanos, reserved_nanos = d.reserved_nanos,
       review_due = true, updated_at = now()
     FROM (SELECT * FROM budget_drift WHERE organization_id = $1 AND ${RECENT}) d
     WHERE s.budget_id = d.budget_id AND s.period_key = d.period_key`,
    organizationId,
  );
}

/**
 * Lets those amounts begin with the usage of their period at the next call that were not counted for a while: all of a
 * budget of each that was disabled, or that of the one whom another budget named. The caller has locked the wallet.
 */
export async function beginAnew(
  tx: Transaction,
  budget: Budget & { readonly organizationId: string },
): Promise<void> {
  const { id, organizationId, scope, scopeId, period, projectId } = budget;
  if (scopeId === EACH) {
    // Holds of calls in flight stay reserved, and are corrected with the rest.
    await prismaOf(tx).$executeRaw`
      DELETE FROM budget_spends WHERE budget_id = ${id} AND subject IS NOT NULL AND reserved_nanos = 0`;
    return;
  }
  if (period === 'session') return;
  await prismaOf(tx).$executeRaw`
    UPDATE budget_spends s SET spent_nanos = greatest(budget_usage(g, s.period_key), s.spent_nanos), review_due = true, updated_at = now()
    FROM budgets g
    WHERE g.organization_id = ${organizationId} AND g.scope = ${scope} AND g.scope_id = ${EACH} AND g.period = ${period}
      AND g.project_id = ${projectId ?? ''} AND s.budget_id = g.id AND s.subject = ${scopeId}`;
}
