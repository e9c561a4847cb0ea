import { type RequestRecordStore } from '@svc/persistence';

/** Longer than any outage: a delayed statement to open a hold must still find that the hold was released. */
const AGE_MAX_MS = 7 * 24 * 3_600_000;
const BATCH = 500;

/** Deletes the records of holds that were released a week ago. */
export async function deleteReleasedHolds(records: RequestRecordStore): Promise<{ readonly more: boolean }> {
  return { more: (await records.deleteReleasedHolds(AGE_MAX_MS, BATCH)) === BATCH };
}
