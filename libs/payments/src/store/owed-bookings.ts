import { prismaOf, type Transaction } from '@svc/database';
import { nanos, type Nanos, type NewId } from '@svc/kernel';
import { type ClawedBack } from '../rules/claw-back';
import { type PaymentRecord } from './payment-record';

type TakenBack = Pick<PaymentRecord, 'id' | 'organizationId' | 'taken' | 'owed' | 'writtenOff'>;

/** The amount that the wallet can give now. Locks it until the transaction ends. */
export async function lockAvailable(tx: Transaction, organizationId: string): Promise<Nanos> {
  const [wallet] = await prismaOf(tx).$queryRaw<{ available: bigint }[]>`
    SELECT balance_nanos - held_nanos AS available FROM wallets
    WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`;
  return nanos(wallet?.available ?? 0n);
}

/**
 * Books the difference between what was clawed back and what is now: payment, wallet and ledger. The transaction must have
 * locked the payment, then the wallet.
 */
export async function bookClawBack(
  tx: Transaction,
  before: TakenBack,
  after: ClawedBack,
  kind: 'refund' | 'dispute',
  newId: NewId,
): Promise<void> {
  const prisma = prismaOf(tx);
  const { id, organizationId } = before;
  const taken = after.taken - before.taken;
  const writtenOff = after.writtenOff - before.writtenOff;
  const transfers = [
    { account: `wallet:${organizationId}`, amount: taken },
    { account: 'platform:loss', amount: writtenOff },
  ].filter(({ amount }) => amount !== 0n);
  for (const { account, amount } of transfers) {
    const isBack = amount < 0n;
    await prisma.ledgerTransfer.create({
      data: {
        id: newId('walletTransaction'),
        organizationId,
        debitAccount: isBack ? 'platform:cash' : account,
        creditAccount: isBack ? account : 'platform:cash',
        amountNanos: isBack ? -amount : amount,
        kind,
        paymentId: id,
      },
    });
  }
  await prisma.$executeRaw`
    UPDATE payments SET clawed_back_nanos = ${after.taken}, owed_nanos = ${after.owed}, written_off_nanos = ${after.writtenOff},
      owed_since = CASE WHEN ${after.owed}::bigint > 0 THEN coalesce(owed_since, now()) END
    WHERE id = ${id}`;
  await prisma.$executeRaw`
    UPDATE wallets SET balance_nanos = balance_nanos - ${taken}::bigint,
      owed_nanos = owed_nanos + ${after.owed - before.owed}::bigint
    WHERE organization_id = ${organizationId}`;
}
