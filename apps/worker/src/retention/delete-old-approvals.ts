import { type ApprovalUpkeep } from '@svc/persistence';

const DAY_MS = 86_400_000;
/** Since a request ended (docs/reference/approvals.md#requests). */
const REQUEST_AGE_MAX_MS = 400 * DAY_MS;
const BATCH = 1_000;

/** Deletes approval requests that ended too long ago. */
export async function deleteOldApprovals(
  upkeep: Pick<ApprovalUpkeep, 'deleteEnded'>,
): Promise<{ readonly more: boolean }> {
  return { more: (await upkeep.deleteEnded(REQUEST_AGE_MAX_MS, BATCH)) === BATCH };
}
