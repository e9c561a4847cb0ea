import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@svc/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@svc/database/embedded';
import { nanos } from '@svc/kernel';
import { eventually } from '@svc/testing';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';

let folder: string;
let server: EmbeddedPostgres;
let database: Database;
let world: LedgerWorld;
let ledger: LedgerStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-crashed-'));
  server = await startEmbeddedPostgres({ dataDir: folder });
  await migrate(server.url);
  database = openDatabase({ url: server.url, poolSize: 2 });
  world = new LedgerWorld(database);
  ledger = new LedgerStore(database);
  // Else the server writes to the disk what no call waits for, before it crashes.
  await database.background.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
  await database.background.query('SELECT pg_reload_conf()');
});
afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** One process of the server is killed, so it ends all others, and loses what is not on the disk. */
async function crash(): Promise<void> {
  const { pool, background, books, prisma } = database;
  const { rows } = await background.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  // Until then, a connection from before the crash may be lent out once more.
  await eventually(() => {
    expect([pool, background, books].map((each) => each.totalCount)).toEqual([0, 0, 0]);
  });
  await eventually(async () => {
    await Promise.all([
      ...[pool, background, books].map((each) => each.query('SELECT')),
      prisma.$queryRaw`SELECT 1`,
    ]);
  });
}

describe('a hold that a crash of the database loses', () => {
  it('is opened again, as it was, when its call is settled', async () => {
    const organizationId = await world.newOrganization(1_000);
    const hold = holdOf(organizationId, 100, { holdMax: nanos(300) });
    expect(await ledger.openHold(hold)).toMatchObject({ held: 300n });
    await crash();
    expect(await world.recordOf(hold)).toBeNull();
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });

    expect(await ledger.settle(settlementOf(hold, 250))).toBe(true);
    expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', heldNanos: 300n });
    expect(await world.transfersOf(hold)).toEqual({ charge: 250n });
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 750n, heldNanos: 0n });
    expect(await ledger.settle(settlementOf(hold, 250))).toBe(false);
  });

  it('costs nothing where its money is held for others since', async () => {
    const organizationId = await world.newOrganization(1_000);
    const [lost, since] = [holdOf(organizationId, 600), holdOf(organizationId, 600)];
    expect(await ledger.openHold(lost)).toMatchObject({ held: 600n });
    await crash();
    expect(await ledger.openHold(since)).toMatchObject({ held: 600n });

    expect(await ledger.settle(settlementOf(lost, 500))).toBe(false);
    expect(await ledger.settle(settlementOf(since, 500))).toBe(true);
    expect(await world.transfersOf(lost)).toEqual({});
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 500n, heldNanos: 0n });
  });
});

it('a charge that was reported is there after a crash', async () => {
  const organizationId = await world.newOrganization(1_000);
  const hold = holdOf(organizationId, 100);
  await ledger.openHold(hold);
  expect(await ledger.settle(settlementOf(hold, 60))).toBe(true);
  await crash();
  expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', customerNanos: 60n });
  expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 940n, heldNanos: 0n });
});
