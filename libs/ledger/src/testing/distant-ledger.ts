import { type Database, openDatabase } from '@svc/database';
import {
  openTestDatabase,
  type SilentProxy,
  startSilentProxy,
  type TestDatabase,
} from '@svc/database/testing';
import { GatewayError } from '@svc/kernel';
import { type HoldRequest } from '../store/wallet/hold-request';
import { type LedgerStore } from '../store/wallet/ledger-store';
import { holdOf, LedgerWorld, settlementOf } from './ledger-world';

/** A ledger, and connections to it through a proxy that can fall silent. */
export class DistantLedger {
  private constructor(
    readonly test: TestDatabase,
    readonly world: LedgerWorld,
    readonly proxy: SilentProxy,
    /** Connected through the proxy. */
    readonly distant: Database,
  ) {}

  static async open(): Promise<DistantLedger> {
    const test = await openTestDatabase();
    const proxy = await startSilentProxy(test.url);
    const distant = openDatabase({ url: proxy.url, poolSize: 2 });
    return new DistantLedger(test, new LedgerWorld(test.database), proxy, distant);
  }

  async close(): Promise<void> {
    this.proxy.resume();
    await this.distant.close();
    await this.proxy.close();
    await this.test.close();
  }
}

/** The reason of a hold's refusal. */
export const refusalOf = async (store: LedgerStore, hold: HoldRequest): Promise<unknown> => {
  const error = await store.openHold(hold).catch((thrown: unknown) => thrown);
  return error instanceof GatewayError ? error.reason : error;
};

/** Holds and settles once, so that a connection is open. */
export async function warmUp(store: LedgerStore, organizationId: string): Promise<void> {
  const hold = holdOf(organizationId, 1);
  await store.openHold(hold);
  await store.settle(settlementOf(hold, 0));
}
