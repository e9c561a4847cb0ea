import { recordEvent } from '@svc/events';
import { type EventRecord, InProcessTransport } from '@svc/messaging';
import { Outbox, OutboxStore, ParkedMessageStore, UnitOfWork } from '@svc/persistence';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { createLogger, createMetrics } from '@svc/platform';
import { sequentialIds } from '@svc/testing';
import { relayOutbox } from './relay-outbox';

jest.setTimeout(60_000);

let test: TestDatabase;
let outbox: OutboxStore;
let transport: InProcessTransport;
let taken: string[];
let isDown: boolean;
beforeEach(async () => {
  test = await openTestDatabase();
  outbox = new OutboxStore(test.database);
  taken = [];
  isDown = false;
  transport = new InProcessTransport({
    parking: new ParkedMessageStore(test.database),
    logger: createLogger({ service: 'worker-spec', level: 'silent' }),
    metrics: createMetrics('worker-spec'),
  });
  transport.subscribe('spec', ({ id }: EventRecord) => {
    if (isDown) return Promise.reject(new Error('the transport is down'));
    taken.push(id);
    return Promise.resolve();
  });
});
afterEach(() => test.close());

const newId = sequentialIds();
const record = async (count: number): Promise<string[]> => {
  const events = Array.from({ length: count }, () =>
    recordEvent(newId('event'), 'wallet.credit_granted', 'org_1', 0, {
      credit_grant_id: 'crg_1',
      amount_nanos: 1,
      balance_nanos: 1,
    }),
  );
  // Written in the wrong order: only their ids tell their age.
  await new UnitOfWork(test.database).transaction((tx) => new Outbox().append(tx, ...events.toReversed()));
  return events.map(({ id }) => id);
};
const unpublished = async (): Promise<string[]> => {
  const events = await test.database.prisma.outboxEvent.findMany({ where: { publishedAt: null } });
  return events.map(({ id }) => id).sort();
};

describe('the outbox relay', () => {
  it('hands over what was recorded, oldest first, and once', async () => {
    const ids = await record(5);
    expect(await relayOutbox(outbox, transport)).toEqual({ more: false });
    expect(await relayOutbox(outbox, transport)).toEqual({ more: false });
    expect(taken).toEqual(ids);
    expect(await unpublished()).toEqual([]);
  });

  it('24: marks nothing that the transport did not take, and sends it again', async () => {
    const ids = await record(3);
    isDown = true;
    await expect(relayOutbox(outbox, transport)).rejects.toThrow('the transport is down');
    expect(await unpublished()).toEqual(ids);
    isDown = false;
    await relayOutbox(outbox, transport);
    expect(taken).toEqual(ids);
    expect(await unpublished()).toEqual([]);
  });

  it('is not held up by an event that no consumer can take: it is parked, and those behind it go on', async () => {
    const [, poisonous] = await record(3);
    transport.subscribe('poisoned', ({ id }) =>
      id === poisonous ? Promise.reject(new Error('a bug')) : Promise.resolve(),
    );
    for (let failures = 1; failures < 10; failures++) {
      await expect(relayOutbox(outbox, transport)).rejects.toThrow('a bug');
    }
    expect(await relayOutbox(outbox, transport)).toEqual({ more: false });
    expect(await unpublished()).toEqual([]);
    const parked = await test.database.prisma.parkedMessage.findMany();
    expect(parked).toMatchObject([{ consumer: 'poisoned', key: 'org_1', reason: 'Error: a bug' }]);
    expect(Buffer.from(parked[0]!.payload).toString()).toContain(poisonous);
  });

  it('marks only what it handed over: an event recorded meanwhile waits for the next run', async () => {
    const [first] = await record(1);
    let late: string[] = [];
    transport.subscribe('late', async ({ id }) => {
      if (id === first) late = await record(1);
    });
    await relayOutbox(outbox, transport);
    expect(late).toHaveLength(1);
    expect(await unpublished()).toEqual(late);
  });

  it('asks to be run again while there is more than a batch', async () => {
    const ids = await record(450);
    const runs = [];
    do runs.push(await relayOutbox(outbox, transport));
    while (runs.at(-1)?.more === true);
    expect(runs).toHaveLength(3);
    expect(taken).toEqual(ids);
  });
});
