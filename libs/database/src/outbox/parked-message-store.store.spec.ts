import { openDatabase } from '../database/database';
import { emptyTestDatabase, type TestDatabase } from '../testing';
import { type ParkedMessageRecord, ParkedMessageStore } from './parked-message-store';

let test: TestDatabase;
let store: ParkedMessageStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new ParkedMessageStore(test.database);
});
afterEach(() => test.close());

const message = (details: Partial<ParkedMessageRecord> = {}): ParkedMessageRecord => ({
  consumer: 'dispatcher',
  topic: 'svc.events.v1',
  partition: 3,
  offset: 2n ** 63n - 1n,
  key: 'org_1',
  payload: Buffer.from('{}'),
  reason: 'no',
  ...details,
});
const rows = () => test.database.prisma.parkedMessage.findMany();

describe('the store of parked messages', () => {
  it('keeps a message once for each consumer, whatever is said of it later', async () => {
    await store.park(message());
    await store.park(message({ reason: 'another' }));
    await store.park(message({ consumer: 'audit' }));
    expect(await rows()).toMatchObject([
      { consumer: 'dispatcher', offset: 2n ** 63n - 1n, reason: 'no', resolvedAt: null },
      { consumer: 'audit', key: 'org_1', partition: 3, topic: 'svc.events.v1' },
    ]);
    expect(await store.countWaiting()).toBe(2);
  });

  it('keeps a message of any bytes and any key', async () => {
    const payload = Buffer.from([0, 255, 0, 1]);
    await store.park(message({ key: 'a\0b', reason: 'bad \0', payload }));
    const [row] = await rows();
    expect(row).toMatchObject({ key: 'a\uFFFDb', reason: 'bad \uFFFD' });
    expect(Buffer.from(row!.payload)).toEqual(payload);
    await store.park(message({ offset: 1n, key: null, payload: Buffer.alloc(0) }));
    expect(await rows()).toHaveLength(2);
  });

  it('does not count what an operator has resolved', async () => {
    await store.park(message());
    await test.database.prisma.parkedMessage.updateMany({ data: { resolvedAt: new Date() } });
    expect(await store.countWaiting()).toBe(0);
  });

  it('tells when the database is away', async () => {
    expect(await store.isAvailable()).toBe(true);
    const nowhere = openDatabase({ url: 'postgresql://svc@127.0.0.1:1/svc', poolSize: 1 });
    expect(await new ParkedMessageStore(nowhere).isAvailable()).toBe(false);
    await nowhere.close();
  });
});
