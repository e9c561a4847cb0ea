import { eventually } from '@svc/testing';
import { openLedgerAudit, type LedgerAudit } from '../harness/ledger-audit';
import { type Svc } from '../harness/svc-process';
import { type WholeAnswer } from './steady-load';
import { type Tenant } from './tenant';

export const openBooks = (svc: Svc, { organizationId }: Tenant): Promise<LedgerAudit> =>
  openLedgerAudit({ ...svc, organizationId });

/** Expects that nothing is held, every entry has its counter-entry, and the wallet is the sum of its entries. */
export async function expectBalanced(audit: LedgerAudit, timeoutMs = 10_000): Promise<void> {
  await eventually(async () => {
    const open = (await audit.calls()).filter(({ status }) => status === 'pending');
    expect(open).toEqual([]);
    expect((await audit.books()).heldNanos).toBe(0n);
  }, timeoutMs);
  const books = await audit.books();
  const recorded = (await audit.calls()).reduce((sum, record) => sum + record.customerNanos, 0n);
  expect(books.allEntriesNanos).toBe(0n);
  expect(books.walletEntriesNanos).toBe(books.balanceNanos);
  expect(books.chargedNanos).toBe(recorded);
  expect(books.balanceNanos).toBe(books.creditedNanos - books.chargedNanos);
}

/** Expects that each whole answer is charged once, at the cost in its `svc`, and no call is charged twice. */
export async function expectChargedOnce(audit: LedgerAudit, answers: readonly WholeAnswer[]): Promise<void> {
  const records = new Map((await audit.calls()).map((record) => [record.id, record]));
  const charges = await audit.charges();
  const wrong = answers.flatMap(({ id, cost }) => {
    const { status, customerNanos } = records.get(id) ?? {};
    const charged = charges.get(id) ?? [];
    const isRight =
      status === 'succeeded' && customerNanos === cost && charged.length === 1 && charged[0] === cost;
    return isRight ? [] : [{ id, told: cost, status, customerNanos, charged }];
  });
  expect(wrong).toEqual([]);
  expect([...charges].filter(([, amounts]) => amounts.length !== 1)).toEqual([]);
}
