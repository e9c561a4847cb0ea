import { type RefusalStore } from '@svc/persistence';

/** More than the 31 days that one answer spans (docs/reference/money.md#refusals). */
const AGE_MAX_MS = 35 * 24 * 3_600_000;
const BATCH = 500;

/** Deletes counts of refused calls after 35 days. */
export const deleteOldRefusals = async (refusals: RefusalStore): Promise<{ readonly more: boolean }> => ({
  more: (await refusals.deleteOld(AGE_MAX_MS, BATCH)) === BATCH,
});
