import { recordEvent } from '@svc/events';
import { type Clock, type NewId, ZERO_NANOS } from '@svc/kernel';
import { type LedgerStore, type RequestRecordStore } from '@svc/persistence';

const BATCH = 200;

export interface Books {
  readonly records: RequestRecordStore;
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** In this time after an outage of the database every edge that lives has renewed its lease again. */
const AFTER_OUTAGE_MS = 10_000;

/**
 * Closes calls whose edge process died before it could settle them: the hold is released, nothing is charged (no
 * answer was given out whole before its charge was committed), and `request.reconciliation_required` asks finance
 * to look. A call that its edge settles after all in the same moment is left as that settled it.
 */
export class AbandonedCalls {
  /** While the database is away no lease can be renewed: then all edges look dead. */
  private awayAtMs = -Infinity;

  constructor(private readonly books: Books) {}

  async close(): Promise<{ readonly more: boolean }> {
    const { records, ledger, clock, newId } = this.books;
    const abandoned = await records.findAbandoned(BATCH).catch((error: unknown) => {
      this.awayAtMs = clock.now();
      throw error;
    });
    if (clock.now() - this.awayAtMs < AFTER_OUTAGE_MS) return { more: false };
    await Promise.all(
      abandoned.map(({ id, organizationId, model }) =>
        ledger.settle({
          requestId: id,
          organizationId,
          status: 'reconciliation_required',
          charge: ZERO_NANOS,
          costState: 'final',
          usage: null,
          provider: null,
          attempts: [],
          httpStatus: null,
          errorCode: 'worker_lost',
          ttftMs: null,
          durationMs: null,
          events: [
            recordEvent(newId('event'), 'request.reconciliation_required', organizationId, clock.now(), {
              request_id: id,
              model,
              provider: null,
              reason: 'worker_lost',
            }),
          ],
        }),
      ),
    );
    return { more: abandoned.length === BATCH };
  }
}
