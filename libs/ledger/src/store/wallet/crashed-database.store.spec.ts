import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@svc/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@svc/database/embedded';
import { nanos } from '@svc/kernel';
import { eventually } from '@svc/testing';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { type HoldRequest } from './hold-request';
import { LedgerStore } from './ledger-store';

let dataDir: string;
let server: EmbeddedPostgres;
let database: Database;
let world: LedgerWorld;
let ledger: LedgerStore;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-crashed-'));
  server = await startEmbeddedPostgres({ dataDir, fast: true });
  await migrate(server.url);
  const settings = openDatabase({ url: server.url, poolSize: 1 });
  // A commit is waited for until it is written, as in production.
  await settings.pool.query('ALTER DATABASE svc SET synchronous_commit = on');
  // What is not waited for is written after three of these at the latest: too late for these tests.
  await settings.pool.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
  await settings.pool.query('SELECT pg_reload_conf()');
  await settings.close();
  database = openDatabase({ url: server.url, poolSize: 4 });
  world = new LedgerWorld(database);
  ledger = new LedgerStore(database);
});
afterAll(async () => {
  await database.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** One session that is killed takes all others with it, and all that the server has in memory only. */
async function crash(): Promise<void> {
  const [killed, other] = await Promise.all([database.connectAlone(), database.connectAlone()]);
  const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const isDown = new Promise<void>((resolve) => other.once('end', resolve));
  process.kill(rows[0]!.pid, 'SIGKILL');
  await isDown;
  await eventually(async () => {
    await database.pool.query('SELECT');
  });
}

/** Opened, and lost in a crash before it was on the disk. */
async function lostHold(organizationId: string, amount: number, more: Partial<HoldRequest> = {}) {
  const hold = holdOf(organizationId, amount, more);
  expect((await ledger.openHold(hold)).held).toBe(nanos(amount));
  await crash();
  expect(await world.recordOf(hold)).toBeNull();
  expect((await world.walletOf(organizationId))?.heldNanos).toBe(0n);
  return hold;
}

describe('a hold that a crash of the database lost', () => {
  it('is opened again by its settlement, which charges once what the call cost', async () => {
    const organizationId = await world.newOrganization(1_000);
    const hold = await lostHold(organizationId, 300);
    expect(await ledger.settle(settlementOf(hold, 200))).toBe(true);
    expect(await ledger.settle(settlementOf(hold, 200))).toBe(false);
    expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', customerNanos: 200n });
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 800n, heldNanos: 0n });
    expect(await world.transfersOf(hold)).toEqual({ charge: 200n });
  });

  it('leaves a record of a call that costs nothing, too', async () => {
    const organizationId = await world.newOrganization(1_000);
    const hold = await lostHold(organizationId, 300);
    expect(await ledger.settle(settlementOf(hold, 0, { status: 'failed' }))).toBe(true);
    expect(await world.recordOf(hold)).toMatchObject({ status: 'failed', customerNanos: 0n });
  });

  it('charges what is left of the wallet, where others were held and charged meanwhile', async () => {
    const organizationId = await world.newOrganization(1_000);
    const hold = await lostHold(organizationId, 900);
    const other = holdOf(organizationId, 800);
    await ledger.openHold(other);
    await ledger.settle(settlementOf(other, 800));
    expect(await ledger.settle(settlementOf(hold, 900))).toBe(true);
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 0n, heldNanos: 0n });
    expect(await world.transfersOf(hold)).toEqual({ charge: 200n, overrun: 700n });
  });
});

describe('a charge', () => {
  it('that was answered is still there after a crash right after it, and so is its hold', async () => {
    const organizationId = await world.newOrganization(1_000);
    const hold = holdOf(organizationId, 300);
    await ledger.openHold(hold);
    expect(await ledger.settle(settlementOf(hold, 250))).toBe(true);
    await crash();
    expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', customerNanos: 250n });
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 750n, heldNanos: 0n });
  });

  it.each(['and its hold with it', 'after its hold'])(
    'that a crash lost, %s, is made again before it is answered',
    async (what) => {
      const organizationId = await world.newOrganization(1_000);
      const { flushes } = database;
      let crashes = 0;
      const crashing = new LedgerStore({
        ...database,
        flushes: {
          witness: () => flushes.witness(),
          flush: async (witness) => {
            if (crashes++ === 0) await crash();
            return flushes.flush(witness);
          },
        },
      });
      const hold = holdOf(organizationId, 300);
      await crashing.openHold(hold);
      if (what === 'after its hold') await flushes.flush(await flushes.witness());
      expect(await crashing.settle(settlementOf(hold, 250))).toBe(true);
      expect(crashes).toBe(2);
      expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', customerNanos: 250n });
      expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 750n, heldNanos: 0n });
      expect(await world.transfersOf(hold)).toEqual({ charge: 250n });
    },
  );
});
