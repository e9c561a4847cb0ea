import { type ApprovalUpkeep } from '@svc/approvals/store';

/**
 * Expires and cancels what waits in vain, gives up what could not be executed for a day, and wipes secrets that nobody
 * claimed (docs/reference/approvals.md#states).
 */
export async function keepUpApprovals(
  upkeep: Pick<ApprovalUpkeep, 'expire' | 'cancelOrphaned' | 'failStale' | 'wipeSecrets'>,
): Promise<{ readonly more: boolean }> {
  const expired = await upkeep.expire();
  const cancelled = await upkeep.cancelOrphaned();
  const failed = await upkeep.failStale();
  await upkeep.wipeSecrets();
  return { more: expired || cancelled || failed };
}
