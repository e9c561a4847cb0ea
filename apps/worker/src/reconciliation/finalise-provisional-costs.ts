import { type RequestRecordStore } from '@svc/ledger/store';

const BATCH = 500;
/** How long a provider's own report may still correct an observed cost (docs/reference/money.md#cost-states). */
const SETTLE_WINDOW_MS = 15 * 60_000;

/** Makes observed costs final when the settle window ends without a provider's report. */
export async function finaliseProvisionalCosts(
  records: RequestRecordStore,
): Promise<{ readonly more: boolean }> {
  const finalised = await records.finaliseProvisional(SETTLE_WINDOW_MS, BATCH);
  return { more: finalised === BATCH };
}
