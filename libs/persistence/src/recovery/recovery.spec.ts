import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { LedgerStore } from '../ledger/ledger-store';
import { WalletStore } from '../ledger/wallet-store';
import { openTestDatabase, type TestDatabase } from '../testing';
import { EdgeInstanceStore } from './edge-instance-store';
import { RequestRecordStore } from './request-record-store';

// Starting and migrating a server takes seconds on a busy machine.
jest.setTimeout(60_000);

let test: TestDatabase;
let instances: EdgeInstanceStore;
let records: RequestRecordStore;
let ledger: LedgerStore;
const organizationId = systemIds('organization');

beforeEach(async () => {
  test = await openTestDatabase();
  instances = new EdgeInstanceStore(test.database);
  records = new RequestRecordStore(test.database);
  ledger = new LedgerStore(test.database);
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000), 'test');
});
afterEach(() => test.close());

const openOn = async (edgeInstanceId: string): Promise<string> => {
  const requestId = systemIds('request');
  const call = {
    requestId,
    organizationId,
    projectId: null,
    apiKeyId: 'key_1',
    edgeInstanceId,
    sessionId: null,
  };
  const what = { route: 'messages', model: 'acme/small', stream: true };
  await ledger.openHold({ ...call, ...what, holdMin: nanos(100), holdMax: nanos(100) });
  return requestId;
};
const settle = (requestId: string, costState: 'final' | 'provisional') =>
  ledger.settle({
    requestId,
    organizationId,
    status: 'cancelled',
    charge: nanos(10),
    costState,
    provider: null,
    httpStatus: null,
    errorCode: null,
    attempts: [],
    usage: null,
    ttftMs: null,
    durationMs: null,
    events: [],
  });
const lasting = (leaseMs: number) => new Promise((resolve) => setTimeout(resolve, leaseMs + 5));

describe('a pending call', () => {
  it('is abandoned once its instance’s lease has run out, and only then', async () => {
    await instances.renew('edge_1', 60_000);
    const id = await openOn('edge_1');
    expect(await records.findAbandoned(10)).toEqual([]);
    await instances.renew('edge_1', 1);
    await lasting(1);
    const createdAt = expect.any(Date) as Date;
    expect(await records.findAbandoned(10)).toEqual([{ id, organizationId, model: 'acme/small', createdAt }]);
    await settle(id, 'final');
    expect(await records.findAbandoned(10)).toEqual([]);
  });

  it('is abandoned when nobody knows its instance', async () => {
    await instances.renew('edge_1', 60_000);
    const id = await openOn('edge_1');
    await instances.remove('edge_1');
    expect(await records.findAbandoned(10)).toMatchObject([{ id }]);
  });

  it('is found oldest first, as many as asked for', async () => {
    const ids = [await openOn('edge_x'), await openOn('edge_x'), await openOn('edge_x')].sort();
    expect((await records.findAbandoned(2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
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
