import { heartbeatWas, emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { holdOf, settlementOf, UNOBSERVED } from '../../testing/ledger-world';
import { LedgerStore } from '../wallet/ledger-store';
import { type Settlement } from '../wallet/settlement';
import { WalletStore } from '../wallet/wallet-store';
import { DatabaseHeartbeat } from './database-heartbeat';
import { EdgeInstanceStore } from './edge-instance-store';
import { RequestRecordStore } from './request-record-store';

let test: TestDatabase;
let instances: EdgeInstanceStore;
let records: RequestRecordStore;
let ledger: LedgerStore;
const organizationId = systemIds('organization');

beforeEach(async () => {
  test = await emptyTestDatabase();
  instances = new EdgeInstanceStore(test.database);
  records = new RequestRecordStore(test.database);
  ledger = new LedgerStore(test.database);
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000), 'test');
  await heartbeatWas(test.database);
});
afterEach(() => test.close());

const openOn = async (edgeInstanceId: string): Promise<string> => {
  const hold = holdOf(organizationId, 100, { edgeInstanceId, route: 'messages', stream: true });
  await ledger.openHold(hold);
  return hold.requestId;
};
const settle = (requestId: string, costState: 'final' | 'provisional') =>
  ledger.settle(cancelled(requestId, costState));
const cancelled = (requestId: string, costState: 'final' | 'provisional'): Settlement =>
  settlementOf({ requestId, organizationId }, 10, {
    ...UNOBSERVED,
    ...{ status: 'cancelled', costState, provider: null, httpStatus: null },
  });
const lasting = (leaseMs: number) => new Promise((resolve) => setTimeout(resolve, leaseMs + 5));

describe('a pending call', () => {
  it('is abandoned once its instance’s lease has run out, and only then', async () => {
    await instances.renewEdgeInstance('edge_1', 60_000);
    const id = await openOn('edge_1');
    expect(await records.findAbandoned(10)).toEqual([]);
    await instances.renewEdgeInstance('edge_1', 1);
    await lasting(1);
    const createdAt = expect.any(Date) as Date;
    expect(await records.findAbandoned(10)).toEqual([{ id, organizationId, model: 'acme/small', createdAt }]);
    await settle(id, 'final');
    expect(await records.findAbandoned(10)).toEqual([]);
  });

  it('is abandoned when nobody knows its instance', async () => {
    await instances.renewEdgeInstance('edge_1', 60_000);
    const id = await openOn('edge_1');
    await instances.removeEdgeInstance('edge_1');
    expect(await records.findAbandoned(10)).toMatchObject([{ id }]);
  });

  it('is found oldest first, as many as asked for', async () => {
    const ids = [await openOn('edge_x'), await openOn('edge_x'), await openOn('edge_x')].sort();
    expect((await records.findAbandoned(2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });
});

describe('a lapsed lease', () => {
  /** A call of an edge that renewed its lease every ten seconds, until the database stopped accepting writes. */
  const lapsedCall = async (lapsedAgoMs: number): Promise<string> => {
    const id = await openOn('edge_1');
    await instances.renewEdgeInstance('edge_1', -lapsedAgoMs);
    return id;
  };
  const closing = (id: string): Settlement => ({
    ...cancelled(id, 'final'),
    status: 'reconciliation_required',
    charge: nanos(0),
  });
  const isHeldAgainst = async (id: string): Promise<boolean> => {
    const found = (await records.findAbandoned(10)).length === 1;
    // Closing it checks the lease again.
    const closed = await ledger.closeAbandoned([closing(id)]);
    expect(closed).toEqual(found ? [id] : []);
    return found;
  };

  it('proves nothing while the database takes no writes, nor at its first write after that', async () => {
    const id = await lapsedCall(8_000);
    await heartbeatWas(test.database, { beatenAgoMs: 38_000 });
    expect(await isHeldAgainst(id)).toBe(false);
    await new DatabaseHeartbeat(test.database).beat();
    expect(await isHeldAgainst(id)).toBe(false);
  });

  it('proves nothing until an edge that lives must have renewed it, to a worker that has just started too', async () => {
    const id = await lapsedCall(35_000);
    await heartbeatWas(test.database, { writableForMs: 29_000 });
    expect(await isHeldAgainst(id)).toBe(false);
    await heartbeatWas(test.database, { writableForMs: 31_000 });
    expect(await isHeldAgainst(id)).toBe(true);
  });

  it('is held against its edge at once where the database took writes all the time', async () => {
    const id = await lapsedCall(1);
    for (let beat = 0; beat < 3; beat++) await new DatabaseHeartbeat(test.database).beat();
    expect(await isHeldAgainst(id)).toBe(true);
  });

  it('that is renewed as its call is being closed saves the call', async () => {
    const id = await lapsedCall(1_000);
    const edge = await test.database.connectAlone();
    await edge.query('BEGIN');
    await edge.query(`UPDATE edge_instances SET lease_until = clock_timestamp() + interval '30 s'`);
    const closed = ledger.closeAbandoned([closing(id)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await edge.query('COMMIT');
    expect(await closed).toEqual([]);
    expect(await settle(id, 'final')).toBe(true);
  });
});

describe('a beat', () => {
  const writableSince = async (): Promise<number> =>
    (await test.database.prisma.databaseHeartbeat.findFirstOrThrow()).writableSince.getTime();

  it('goes on from the last one, unless that is ten seconds ago', async () => {
    const heartbeat = new DatabaseHeartbeat(test.database);
    await heartbeatWas(test.database, { beatenAgoMs: 9_000 });
    const before = await writableSince();
    await heartbeat.beat();
    expect(await writableSince()).toBe(before);
    await heartbeatWas(test.database, { beatenAgoMs: 10_500 });
    await heartbeat.beat();
    expect(await writableSince()).toBeGreaterThan(before + 60_000);
  });

  it('begins anew where the row is gone', async () => {
    await test.database.pool.query('DELETE FROM database_heartbeat');
    await new DatabaseHeartbeat(test.database).beat();
    expect(await records.findAbandoned(10)).toEqual([]);
  });
});

describe('a provisional cost', () => {
  it('becomes final when the settle window closes, and only then', async () => {
    const id = await openOn('edge_1');
    await settle(id, 'provisional');
    expect(await records.finaliseProvisional(60_000, 10)).toBe(0);
    expect(await records.finaliseProvisional(0, 10)).toBe(1);
    expect(await records.finaliseProvisional(0, 10)).toBe(0);
    const record = await test.database.prisma.requestRecord.findUnique({ where: { id } });
    expect(record).toMatchObject({ costState: 'final', customerNanos: 10n });
  });
});
