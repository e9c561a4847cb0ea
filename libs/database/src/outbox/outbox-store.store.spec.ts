import { recordEvent } from '@svc/events';
import { systemIds } from '@svc/runtime';
import { openDatabase } from '../database/database';
import { UnitOfWork } from '../database/unit-of-work';
import { openTestDatabase, type TestDatabase } from '../testing';
import { Outbox } from './outbox';
import { OutboxStore } from './outbox-store';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

const newEvent = () =>
  recordEvent(systemIds('event'), 'wallet.credit_granted', 'org_1', Date.now(), {
    credit_grant_id: 'crg_ü',
    amount_nanos: 1,
    balance_nanos: 1,
  });
const append = (...events: ReturnType<typeof newEvent>[]) =>
  new UnitOfWork(test.database).transaction((tx) => new Outbox().append(tx, ...events));

describe('the outbox', () => {
  it('40: gives what was committed, oldest first, byte for byte, until it is published', async () => {
    const events = [newEvent(), newEvent(), newEvent()].sort((a, b) => (a.id < b.id ? -1 : 1));
    await append(events[2]!, events[0]!, events[1]!);
    const store = new OutboxStore(test.database);
    expect(await store.claimUnpublished(2)).toEqual(events.slice(0, 2));
    await store.markPublished(events.slice(0, 2).map(({ id }) => id));
    expect(await store.claimUnpublished(2)).toEqual(events.slice(2));
  });

  it('gives an event that committed late, however many younger ones were published before', async () => {
    const late = newEvent();
    const young = recordEvent(`evt_z${late.id.slice(5)}`, 'wallet.credit_granted', 'org_1', 0, {
      credit_grant_id: 'crg_1',
      amount_nanos: 1,
      balance_nanos: 1,
    });
    await append(young);
    const store = new OutboxStore(test.database);
    await store.markPublished((await store.claimUnpublished(10)).map(({ id }) => id));
    await append(late);
    expect(await store.claimUnpublished(10)).toEqual([late]);
  });

  it('keeps nothing of a transaction that fails', async () => {
    const failing = new UnitOfWork(test.database).transaction(async (tx) => {
      await new Outbox().append(tx, newEvent());
      throw new Error('change of mind');
    });
    await expect(failing).rejects.toThrow('change of mind');
    expect(await new OutboxStore(test.database).claimUnpublished(10)).toEqual([]);
  });

  it('has one relay, and another as soon as that one is gone', async () => {
    await append(newEvent());
    const other = openDatabase({ url: test.url, poolSize: 2 });
    expect(await new OutboxStore(other).claimUnpublished(10)).toHaveLength(1);
    const store = new OutboxStore(test.database);
    expect(await store.claimUnpublished(10)).toEqual([]);
    await other.close();
    while ((await store.claimUnpublished(10)).length === 0) await new Promise(setImmediate);
  });
});
