import { type OwedCollection } from '@svc/payments/store';

const WALLETS_AT_ONCE = 50;
const PAYMENTS_AT_ONCE = 50;
const WRITTEN_OFF_AFTER_MS = 90 * 86_400_000;

/** Takes what wallets owe, and gives up what has been owed for 90 days (docs/reference/payments.md#refunds-and-disputes). */
export async function collectOwed(
  owed: Pick<OwedCollection, 'collect' | 'writeOffOlderThan'>,
): Promise<{ readonly more: boolean }> {
  const moreToCollect = await owed.collect(WALLETS_AT_ONCE);
  const moreToGiveUp = await owed.writeOffOlderThan(WRITTEN_OFF_AFTER_MS, PAYMENTS_AT_ONCE);
  return { more: moreToCollect || moreToGiveUp };
}
