import { recordEvent } from '@svc/events';
import { type EventHandler, EVENTS, InProcessEventClient, InProcessEventServer } from '@svc/messaging';
import { Outbox, OutboxStore, ParkedMessageStore, UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { sequentialIds } from '@svc/testing';
import { relayOutbox } from './database.tasks';

let test: TestDatabase;
let outbox: OutboxStore;
let client: InProcessEventClient;
/** Adds a consumer group. */
let listen: (group: string, handle: EventHandler) => void;
let taken: string[];
let isDown: boolean;
beforeEach(async () => {
  test = await openTestDatabase();
  outbox = new OutboxStore(test.database);
  taken = [];
  isDown = false;
  const server = new InProcessEventServer({
    parking: new ParkedMessageStore(test.database),
    logger: createLogger({ service: 'worker-spec', level: 'silent' }),
    metrics: createMetrics('worker-spec'),
  });
  client = new InProcessEventClient(server);
  listen = (group, handle) => {
    server.addHandler(EVENTS, handle, true, { group });
    server.listen(() => undefined);
  };
  listen('spec', ({ id }) => {
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
  // Written in the wrong order: only their ids show their age.
  await new UnitOfWork(test.database).transaction((tx) => new Outbox().append(tx, ...events.toReversed()));
  return events.map(({ id }) => id);
};
const unpublished = async (): Promise<string[]> => {
  const events = await test.database.prisma.outboxEvent.findMany({ where: { publishedAt: null } });
  return events.map(({ id }) => id).sort();
};

describe('the outbox relay', () => {
  it('publishes recorded events, oldest first, and once', async () => {
    const ids = await record(5);
    expect(await relayOutbox(outbox, client)).toEqual({ more: false });
    expect(await relayOutbox(outbox, client)).toEqual({ more: false });
    expect(taken).toEqual(ids);
    expect(await unpublished()).toEqual([]);
  });

  it('24: marks no event that the transport did not acknowledge, and sends it again', async () => {
    const ids = await record(3);
    isDown = true;
    await expect(relayOutbox(outbox, client)).rejects.toThrow('the transport is down');
    expect(await unpublished()).toEqual(ids);
    isDown = false;
    await relayOutbox(outbox, client);
    expect(taken).toEqual(ids);
    expect(await unpublished()).toEqual([]);
  });

  it('is not blocked by an event that no consumer can process: it is parked, and the next are published', async () => {
    const [, poisonous] = await record(3);
    listen('poisoned', ({ id }) =>
      id === poisonous ? Promise.reject(new Error('a bug')) : Promise.resolve(),
    );
    for (let failures = 1; failures < 10; failures++) {
      await expect(relayOutbox(outbox, client)).rejects.toThrow('a bug');
    }
    expect(await relayOutbox(outbox, client)).toEqual({ more: false });
    expect(await unpublished()).toEqual([]);
    const parked = await test.database.prisma.parkedMessage.findMany();
    expect(parked).toMatchObject([{ consumer: 'poisoned', key: 'org_1', reason: 'Error: a bug' }]);
    expect(Buffer.from(parked[0]!.payload).toString()).toContain(poisonous);
  });

  it('marks only what it published: an event recorded meanwhile waits for the next run', async () => {
    const [first] = await record(1);
    let late: string[] = [];
    listen('late', async ({ id }) => {
      if (id === first) late = await record(1);
    });
    await relayOutbox(outbox, client);
    expect(late).toHaveLength(1);
    expect(await unpublished()).toEqual(late);
  });

  it('asks to be run again while there is more than a batch', async () => {
    const ids = await record(450);
    const runs = [];
    do runs.push(await relayOutbox(outbox, client));
    while (runs.at(-1)?.more === true);
    expect(runs).toHaveLength(3);
    expect(taken).toEqual(ids);
  });
});
