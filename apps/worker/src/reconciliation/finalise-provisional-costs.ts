import { type RequestRecordStore } from '@svc/persistence';

const BATCH = 500;
/** How long a provider's own report may still correct what was observed (contract.md section 10). */
export const SETTLE_WINDOW_MS = 15 * 60_000;

/** Makes observed costs final once the settle window has closed and no provider's report came. */
export async function finaliseProvisionalCosts(
  records: RequestRecordStore,
): Promise<{ readonly more: boolean }> {
  const finalised = await records.finaliseProvisional(SETTLE_WINDOW_MS, BATCH);
  return { more: finalised === BATCH };
}
