import { type Clock, type NewId } from '@svc/kernel';
import { abandonedSettlement, type LedgerStore, type RequestRecordStore } from '@svc/ledger/store';
import { type Logger } from '@svc/runtime/observability';

/** A younger record may still be on its way from the database to its call. */
const AGE_MIN_MS = 30_000;

interface OrphanedHoldsOptions {
  readonly records: RequestRecordStore;
  readonly ledger: LedgerStore;
  /** The calls that this process serves. */
  readonly served: () => ReadonlySet<string>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Closes pending calls of this process that it does not serve: the worker does not close them while this process lives. Their
 * holds are released without a charge, and marked for reconciliation.
 */
export class OrphanedHolds {
  constructor(private readonly options: OrphanedHoldsOptions) {}

  async sweep(edgeInstanceId: string): Promise<void> {
    const { records, ledger, served, logger, newId, clock } = this.options;
    const pending = await records.findPendingOf(edgeInstanceId, AGE_MIN_MS);
    // Read after the records: a call that ended in between is already settled.
    const serving = served();
    const orphaned = pending.filter(({ id }) => !serving.has(id) && !ledger.isReleasing(id));
    const settled = orphaned.map((call) => ledger.settle(abandonedSettlement(call, newId, clock)));
    for (const [at, isClosed] of (await Promise.all(settled)).entries()) {
      if (isClosed) logger.error({ request_id: orphaned[at]?.id }, 'a hold that no call had was released');
    }
  }
}
