import { type Database } from '@svc/database';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';
import { type BookingLanes } from './booking-lanes';
import { type HoldRequest, holdRow } from './hold-request';

interface OpenHold {
  readonly hold: HoldRequest;
  readonly decision: Exclude<HoldDecision, { readonly held: null }>;
}

/**
 * The holds of this process's calls in flight. No hold waits for the disk, so a crash of the database can lose it, with its
 * record and all that it changed (docs/decisions/0069-holds-do-not-wait-for-the-disk.md).
 */
export class OpenHolds {
  private readonly byCall = new Map<string, OpenHold>();

  constructor(
    private readonly database: Database,
    private readonly lanes: BookingLanes,
  ) {}

  note(hold: HoldRequest, decision: HoldDecision): void {
    if (decision.held !== null) this.byCall.set(hold.requestId, { hold, decision });
  }

  forget(requestId: string): void {
    this.byCall.delete(requestId);
  }

  /**
   * Opens the hold of a call again, as it was, if it was lost.
   * @returns false where it was not lost, or the wallet or a budget has not as much left.
   */
  async reopenLost(requestId: string): Promise<boolean> {
    const open = this.byCall.get(requestId);
    if (open === undefined || (await this.isRecorded(requestId))) return false;
    const row = holdRow(asItWas(open));
    const { held_nanos } = await this.lanes.add({ kind: 'hold', row, isSent: false, isGivenUp: false });
    return held_nanos !== null;
  }

  private async isRecorded(requestId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('SELECT FROM request_records WHERE id = $1', [
      requestId,
    ]);
    return rowCount === 1;
  }
}

/** The call was told what it may cost: the hold is that again, or none. */
const asItWas = ({ hold, decision: { held, budgetHeld } }: OpenHold): HoldRequest => ({
  ...hold,
  holdMin: held,
  holdMax: held,
  ...(budgetHeld !== undefined && { budgetMin: budgetHeld, budgetMax: budgetHeld }),
});
