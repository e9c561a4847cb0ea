import { nanos, ZERO_NANOS } from '@svc/kernel';
import {
  EdgeInstanceStore,
  LedgerStore,
  RequestRecordStore,
  type Settlement,
  WalletStore,
} from '@svc/ledger/store';
import { holdOf, settlementOf, UNOBSERVED } from '@svc/ledger/testing';
import { heartbeatWas, emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemClock, systemIds } from '@svc/runtime';
import { closeAbandonedCalls, finaliseProvisionalCosts, type Books } from './ledger.tasks';

let test: TestDatabase;
let books: Books;
const organizationId = systemIds('organization');
beforeEach(async () => {
  test = await emptyTestDatabase();
  books = {
    records: new RequestRecordStore(test.database),
    ledger: new LedgerStore(test.database),
    clock: systemClock,
    newId: systemIds,
  };
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000_000), 'test');
  await new EdgeInstanceStore(test.database).renewEdgeInstance('edge_alive', 60_000);
  await heartbeatWas(test.database);
});
afterEach(() => test.close());

const openCall = async (edgeInstanceId: string): Promise<string> => {
  const hold = holdOf(organizationId, 100, { edgeInstanceId });
  await books.ledger.openHold(hold);
  return hold.requestId;
};
const settle = (requestId: string, changes: Partial<Settlement> = {}): Promise<boolean> =>
  books.ledger.settle(settlementOf({ requestId, organizationId }, 40, { ...UNOBSERVED, ...changes }));
const recordOf = (id: string) => test.database.prisma.requestRecord.findUniqueOrThrow({ where: { id } });
const wallet = () => test.database.prisma.wallet.findUniqueOrThrow({ where: { organizationId } });
const events = async () => {
  const rows = await test.database.prisma.outboxEvent.findMany({
    where: { type: 'request.reconciliation_required' },
  });
  return rows.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data);
};

describe('a call whose edge process died', () => {
  it('has its hold released, costs nothing, and needs reconciliation', async () => {
    const id = await openCall('edge_dead');
    expect(await closeAbandonedCalls(books)).toEqual({ more: false });
    expect(await recordOf(id)).toMatchObject({
      status: 'reconciliation_required',
      errorCode: 'worker_lost',
      customerNanos: ZERO_NANOS,
    });
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000n, heldNanos: 0n });
    expect(await events()).toEqual([
      { request_id: id, model: 'acme/small', provider: null, reason: 'worker_lost' },
    ]);
  });

  it('is closed once, however many workers look', async () => {
    await openCall('edge_dead');
    await Promise.all([closeAbandonedCalls(books), closeAbandonedCalls(books), closeAbandonedCalls(books)]);
    await closeAbandonedCalls(books);
    expect(await events()).toHaveLength(1);
    expect(await wallet()).toMatchObject({ heldNanos: 0n });
  });

  it('keeps the settlement of its edge, if that came first', async () => {
    const id = await openCall('edge_dead');
    const abandoned = await books.records.findAbandoned(10);
    expect(await settle(id)).toBe(true);
    const records = Object.assign(Object.create(books.records) as RequestRecordStore, {
      findAbandoned: () => Promise.resolve(abandoned),
    });
    expect(await closeAbandonedCalls({ ...books, records })).toEqual({ more: false });
    expect(await recordOf(id)).toMatchObject({ status: 'succeeded', customerNanos: 40n });
    expect(await wallet()).toMatchObject({ balanceNanos: 999_960n, heldNanos: 0n });
    expect(await events()).toEqual([]);
  });

  it('waits for the next run while its wallet is locked, and delays no other call', async () => {
    const id = await openCall('edge_dead');
    const client = await test.database.connectAlone();
    await client.query('BEGIN');
    await client.query('SELECT FROM wallets FOR UPDATE');
    expect(await closeAbandonedCalls(books)).toEqual({ more: false });
    await client.query('ROLLBACK');
    expect(await recordOf(id)).toMatchObject({ status: 'pending' });
    await closeAbandonedCalls(books);
    expect(await recordOf(id)).toMatchObject({ errorCode: 'worker_lost' });
  });

  it('is closed alone: a call whose edge lives is not', async () => {
    const id = await openCall('edge_alive');
    await closeAbandonedCalls(books);
    expect(await recordOf(id)).toMatchObject({ status: 'pending' });
    expect(await wallet()).toMatchObject({ heldNanos: 100n });
  });

  it('does not wait behind hundreds of others', async () => {
    await Promise.all(Array.from({ length: 250 }, () => openCall('edge_dead')));
    expect(await closeAbandonedCalls(books)).toEqual({ more: true });
    expect(await closeAbandonedCalls(books)).toEqual({ more: false });
    expect(await wallet()).toMatchObject({ heldNanos: 0n });
    expect(await events()).toHaveLength(250);
  });
});

describe('an observed cost', () => {
  const finished = async (minutesAgo: number, costState: 'final' | 'provisional'): Promise<string> => {
    const id = await openCall('edge_alive');
    await settle(id, { status: 'cancelled', costState });
    await test.database.pool.query(
      `UPDATE request_records SET finished_at = now() - $2 * interval '1 minute' WHERE id = $1`,
      [id, minutesAgo],
    );
    return id;
  };

  it('is final once the settle window of 15 minutes has ended, with the same amount', async () => {
    const id = await finished(15.1, 'provisional');
    expect(await finaliseProvisionalCosts(books.records)).toEqual({ more: false });
    expect(await recordOf(id)).toMatchObject({ costState: 'final', status: 'cancelled', customerNanos: 40n });
  });

  it('stays provisional until then', async () => {
    const id = await finished(14.9, 'provisional');
    await finaliseProvisionalCosts(books.records);
    expect(await recordOf(id)).toMatchObject({ costState: 'provisional' });
  });

  it('of a call that still runs is not touched', async () => {
    const id = await openCall('edge_alive');
    await finaliseProvisionalCosts(books.records);
    expect(await recordOf(id)).toMatchObject({ status: 'pending', costState: null });
  });
});
