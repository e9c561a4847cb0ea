import { type Clock, type NewId } from '@svc/kernel';
import { abandonedSettlement, type LedgerStore, type RequestRecordStore } from '@svc/ledger/store';

const BATCH = 200;

export interface Books {
  readonly records: RequestRecordStore;
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Closes calls whose edge process died before it settled them. The lease is checked again as a call is closed; a call that
 * its edge settles at the same moment keeps that settlement.
 */
export async function closeAbandonedCalls(books: Books): Promise<{ readonly more: boolean }> {
  const { records, ledger, newId, clock } = books;
  const abandoned = await records.findAbandoned(BATCH);
  if (abandoned.length === 0) return { more: false };
  const closed = await ledger.closeAbandoned(
    abandoned.map((call) => abandonedSettlement(call, newId, clock)),
  );
  return { more: abandoned.length === BATCH && closed.length > 0 };
}
