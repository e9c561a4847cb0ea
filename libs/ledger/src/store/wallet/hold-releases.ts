import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type Database, failureKind } from '@svc/database';
import { type NewId, ZERO_NANOS } from '@svc/kernel';
import { AdaptiveBatch } from '@svc/runtime';
import { type HoldRequest } from './hold-request';
import { type SettlementRow, settlementRow } from './settlement';

const BATCH_MAX = 256;

const RELEASE_HOLDS = {
  name: 'release_holds',
  text: 'SELECT release_holds($1::jsonb, $2::text[])',
};

/**
 * Releases holds that may or may not have been opened. An open one is settled without a charge. One that is not open
 * can no longer be opened, even by a statement that is still on its way.
 */
export class HoldReleases {
  private readonly underWay = new Set<string>();
  private readonly releases = new AdaptiveBatch((batch: readonly SettlementRow[]) => this.releaseAll(batch), {
    itemsMax: BATCH_MAX,
    isItemFault: (error) => failureKind(error) !== 'connection',
  });

  constructor(
    private readonly database: Database,
    private readonly newId: NewId,
  ) {}

  isUnderWay(requestId: string): boolean {
    return this.underWay.has(requestId);
  }

  /**
   * Resolves once the hold is released, or the database is closed. In that case the edge is ending, and the worker
   * finds its open holds.
   */
  async release(hold: HoldRequest): Promise<void> {
    const row = this.rowOf(hold);
    this.underWay.add(hold.requestId);
    for (let failures = 0; !this.database.booksAside.ending; failures++) {
      try {
        await this.releases.add(row);
        break;
      } catch {
        await wait(backoffMs(failures));
      }
    }
    this.underWay.delete(hold.requestId);
  }

  private async releaseAll(batch: readonly SettlementRow[]): Promise<readonly null[]> {
    const organizations = new Set(batch.map(({ organization_id }) => organization_id));
    const values = [JSON.stringify(batch), [...organizations]];
    await this.database.booksAside.query({ ...RELEASE_HOLDS, values });
    return batch.map(() => null);
  }

  private rowOf({ requestId, organizationId, model }: HoldRequest): SettlementRow {
    return settlementRow(
      {
        requestId,
        organizationId,
        model,
        status: 'failed',
        charge: ZERO_NANOS,
        costState: 'final',
        provider: null,
        httpStatus: 503,
        errorCode: 'overloaded',
        attempts: [],
        usage: null,
        ttftMs: null,
        durationMs: null,
        events: [],
      },
      this.newId,
    );
  }
}
