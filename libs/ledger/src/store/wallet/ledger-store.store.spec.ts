import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { recordEvent } from '@svc/events';
import { nanos, ZERO_NANOS } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { type HoldRequest } from './hold-request';
import { LedgerStore } from './ledger-store';

let test: TestDatabase;
let ledger: LedgerStore;
let world: LedgerWorld;
beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  ledger = new LedgerStore(test.database);
});
afterAll(() => test.close());

const newOrganization = (credit: number): Promise<string> => world.newOrganization(credit);

const reconciliation = (hold: HoldRequest) =>
  recordEvent(systemIds('event'), 'request.reconciliation_required', hold.organizationId, 0, {
    request_id: hold.requestId,
    model: hold.model,
    provider: 'acme',
    reason: 'hold_exceeded',
  });

const heldFor = async (hold: HoldRequest): Promise<bigint | null> => (await ledger.openHold(hold)).held;

const walletOf = (organizationId: string) => world.walletOf(organizationId);
const recordOf = (hold: HoldRequest) => world.recordOf(hold);
const transfersOf = ({ requestId }: HoldRequest) =>
  test.database.prisma.ledgerTransfer.findMany({ where: { requestId }, orderBy: { kind: 'asc' } });
const sumOfEntries = async (account?: string): Promise<bigint> => {
  const { rows } = await test.database.pool.query<{ sum: string }>(
    'SELECT coalesce(sum(amount_nanos), 0)::text AS sum FROM ledger_entries WHERE $1::text IS NULL OR account = $1',
    [account ?? null],
  );
  return BigInt(rows[0]!.sum);
};

/** Entries read from the monthly indexes of pending records since the server started. */
async function pendingRecordsRead(): Promise<number> {
  const { pool } = test.database;
  // Each connection has its own counters, and reports them on request.
  await Promise.all(
    Array.from({ length: pool.totalCount }, () =>
      pool.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.05)'),
    ),
  );
  const { rows } = await pool.query<{ read: string }>(
    `SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes JOIN pg_inherits ON inhrelid = indexrelid
     WHERE inhparent = 'request_records_pending'::regclass`,
  );
  return Number(rows[0]?.read);
}

describe('a hold', () => {
  it('of 200 at once from two processes admits exactly the 20 that the wallet pays', async () => {
    const organizationId = await newOrganization(20_500);
    const stores = [ledger, new LedgerStore(test.database)];
    const calls = Array.from({ length: 200 }, () => holdOf(organizationId, 1_000));
    const held = await Promise.all(calls.map((hold, at) => stores[at % 2]!.openHold(hold)));
    expect(held.flatMap(({ held: amount }) => amount ?? [])).toEqual(Array(20).fill(1_000n));
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 20_500n, heldNanos: 20_000n });
    expect(await test.database.prisma.requestRecord.count({ where: { organizationId } })).toBe(20);
  });

  it('takes what is left between its minimum and its maximum', async () => {
    const organizationId = await newOrganization(1_000);
    const range = { holdMin: nanos(300), holdMax: nanos(700) };
    const calls = [1, 2, 3].map(() => holdOf(organizationId, 0, range));
    expect(await Promise.all(calls.map(heldFor))).toEqual([700n, 300n, null]);
  });

  it('lets a small call in behind a large one that did not fit', async () => {
    const organizationId = await newOrganization(1_000);
    const calls = [800, 500, 200].map((amount) => holdOf(organizationId, amount));
    expect(await Promise.all(calls.map(heldFor))).toEqual([800n, null, 200n]);
  });

  it('is refused without a wallet, leaving nothing behind', async () => {
    const hold = holdOf(await newOrganization(0), 0);
    expect(await ledger.openHold(hold)).toEqual({ held: null, refusedBy: 'wallet', budgetWarningBps: null });
    expect(await recordOf(hold)).toBeNull();
  });

  it('of nothing is held by an empty wallet', async () => {
    const organizationId = await newOrganization(5);
    expect(await heldFor(holdOf(organizationId, 5))).toBe(5n);
    expect(await heldFor(holdOf(organizationId, 0))).toBe(0n);
  });

  it('writes the record of a pending call', async () => {
    const organizationId = await newOrganization(1_000);
    const hold = holdOf(organizationId, 1_000, { projectId: 'proj_1', sessionId: 's', stream: true });
    await ledger.openHold(hold);
    expect(await recordOf(hold)).toMatchObject({
      organizationId,
      projectId: 'proj_1',
      apiKeyId: 'key_1',
      edgeInstanceId: 'edge_1',
      sessionId: 's',
      route: 'chat_completions',
      model: 'acme/small',
      stream: true,
      status: 'pending',
      heldNanos: 1_000n,
      costState: null,
      finishedAt: null,
    });
  });

  it('that the database refuses does not fail its neighbours', async () => {
    const organizationId = await newOrganization(10_000);
    const first = holdOf(organizationId, 100);
    await ledger.openHold(first);
    const calls = [
      holdOf(organizationId, 100),
      first,
      holdOf(organizationId, 100),
      holdOf(organizationId, 100),
    ];
    const outcomes = await Promise.allSettled(calls.map((hold) => ledger.openHold(hold)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 10_000n, heldNanos: 400n });
  });
});

describe('a settlement', () => {
  it('charges once, however often and from wherever it is sent', async () => {
    const organizationId = await newOrganization(10_000);
    const hold = holdOf(organizationId, 1_000);
    await ledger.openHold(hold);
    const event = reconciliation(hold);
    const repeats = Array.from({ length: 5 }, () => settlementOf(hold, 600, { events: [event] }));
    const other = new LedgerStore(test.database);
    const settled = await Promise.all(repeats.flatMap((one) => [ledger.settle(one), other.settle(one)]));
    expect(settled.filter(Boolean)).toHaveLength(1);
    expect(await ledger.settle(settlementOf(hold, 900))).toBe(false);
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 9_400n, heldNanos: 0n });
    expect(await transfersOf(hold)).toMatchObject([{ kind: 'charge', amountNanos: 600n }]);
    expect(await test.database.prisma.outboxEvent.count({ where: { id: event.id } })).toBe(1);
  });

  it('says what the call was', async () => {
    const hold = holdOf(await newOrganization(10_000), 1_000);
    await ledger.openHold(hold);
    await ledger.settle(settlementOf(hold, 600, { costState: 'provisional', errorCode: 'x' }));
    const record = await recordOf(hold);
    expect(record).toMatchObject({
      status: 'succeeded',
      provider: 'acme',
      httpStatus: 200,
      errorCode: 'x',
      attempts: [{ provider: 'acme', region: 'eu-west' }],
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteTokens: 3,
      outputTokens: 20,
      reasoningTokens: 5,
      customerNanos: 600n,
      overrunNanos: 0n,
      costState: 'provisional',
      ttftMs: 12,
      durationMs: 34,
    });
    expect(record?.finishedAt).toBeInstanceOf(Date);
  });

  it('charges no more than the hold and books the rest as the platform’s loss', async () => {
    const organizationId = await newOrganization(1_000);
    const hold = holdOf(organizationId, 1_000);
    await ledger.openHold(hold);
    await ledger.settle(settlementOf(hold, 1_700));
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 0n, heldNanos: 0n });
    expect(await recordOf(hold)).toMatchObject({ customerNanos: 1_000n, overrunNanos: 700n });
    expect(await transfersOf(hold)).toMatchObject([
      {
        kind: 'charge',
        debitAccount: `wallet:${organizationId}`,
        creditAccount: 'platform:revenue',
        amountNanos: 1_000n,
      },
      {
        kind: 'overrun',
        debitAccount: 'platform:loss',
        creditAccount: 'platform:revenue',
        amountNanos: 700n,
      },
    ]);
  });

  it('without a charge releases the hold and books nothing', async () => {
    const organizationId = await newOrganization(1_000);
    const hold = holdOf(organizationId, 1_000);
    await ledger.openHold(hold);
    await ledger.settle(settlementOf(hold, 0, { status: 'failed', usage: null }));
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    expect(await transfersOf(hold)).toEqual([]);
  });

  it('of a call that was never held, or is another organization’s, changes nothing', async () => {
    const hold = holdOf(await newOrganization(1_000), 1_000);
    const event = reconciliation(hold);
    expect(await ledger.settle(settlementOf(hold, 500, { events: [event] }))).toBe(false);
    await ledger.openHold(hold);
    const organizationId = await newOrganization(1_000);
    expect(await ledger.settle({ ...settlementOf(hold, 500, { events: [event] }), organizationId })).toBe(
      false,
    );
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    expect(await test.database.prisma.outboxEvent.count({ where: { id: event.id } })).toBe(0);
  });

  it('that the database refuses does not fail its neighbours', async () => {
    const organizationId = await newOrganization(10_000);
    const calls = [1, 2, 3, 4].map(() => holdOf(organizationId, 1_000));
    await Promise.all(calls.map((hold) => ledger.openHold(hold)));
    const outcomes = await Promise.allSettled(
      calls.map((hold, at) => ledger.settle(settlementOf(hold, at === 2 ? -1 : 100))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 9_700n, heldNanos: 0n });
  });

  it('counts the usage of its day, key, model and provider', async () => {
    const organizationId = await newOrganization(100_000);
    const calls = Array.from({ length: 30 }, () => holdOf(organizationId, 1_000));
    await Promise.all(calls.map((hold) => ledger.openHold(hold)));
    await Promise.all(calls.map((hold) => ledger.settle(settlementOf(hold, 50))));
    const days = await test.database.prisma.usageDay.findMany({ where: { organizationId } });
    expect(days).toMatchObject([
      {
        projectId: '',
        apiKeyId: 'key_1',
        model: 'acme/small',
        provider: 'acme',
        requestCount: 30n,
        customerNanos: 1_500n,
      },
    ]);
    expect(days[0]).toMatchObject({ inputTokens: 300n, cachedInputTokens: 120n, outputTokens: 600n });
  });

  it('looks at no other call in flight, however many there are', async () => {
    const organizationId = await newOrganization(1_000_000);
    const holds = Array.from({ length: 100 }, () => holdOf(organizationId, 100));
    await Promise.all(holds.map(heldFor));
    const before = await pendingRecordsRead();
    await Promise.all(holds.slice(0, 50).map((hold) => ledger.settle(settlementOf(hold, 10))));
    expect(await pendingRecordsRead()).toBe(before);
  });

  it('survives the loss of its connection', async () => {
    const organizationId = await newOrganization(1_000);
    const hold = holdOf(organizationId, 1_000);
    await ledger.openHold(hold);
    // Another session keeps the wallet locked, so that the settlement is under way when its connection is cut.
    const blocker = await test.database.connectAlone();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM wallets WHERE organization_id = $1 FOR UPDATE', [organizationId]);
    const settled = ledger.settle(settlementOf(hold, 300));
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND query LIKE '%book_calls%' AND wait_event_type = 'Lock'`;
    while ((await test.database.pool.query(cut)).rowCount === 0) await new Promise(setImmediate);
    await blocker.query('COMMIT');
    expect(await settled).toBe(true);
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 700n, heldNanos: 0n });
  });
});

type Query = (statement: { name?: string }, ...values: unknown[]) => Promise<unknown>;

/** A store whose bookings pass through this function. */
function storeOver(pass: (query: Query) => Query): LedgerStore {
  const query = pass((statement, ...values) =>
    test.database.books.query(statement as never, ...(values as never[])),
  );
  const books = Object.assign(Object.create(test.database.books) as typeof test.database.books, { query });
  return new LedgerStore({ ...test.database, books });
}

/** A store over a database that commits the first booking and loses the answer. */
function storeThatLoses(): LedgerStore {
  let isLost = false;
  return storeOver((query) => async (statement, ...values) => {
    const answer = await query(statement, ...values);
    if (isLost) return answer;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  });
}

/** A store that notes the server's failures, except refusals because of a locked wallet. */
const storeThatNotes = (failures: unknown[]): LedgerStore =>
  storeOver((query) => async (statement, ...values) => {
    try {
      return await query(statement, ...values);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED) failures.push(error);
      throw error;
    }
  });

const LOCKED = '55P03';

describe('a settlement whose answer was lost', () => {
  it('is known to have been made', async () => {
    const hold = holdOf(await newOrganization(1_000), 1_000);
    await ledger.openHold(hold);
    expect(await storeThatLoses().settle(settlementOf(hold, 300))).toBe(true);
    expect(await walletOf(hold.organizationId)).toEqual({ balanceNanos: 700n, heldNanos: 0n });
  });

  it('is known not to have been made where another one was', async () => {
    const hold = holdOf(await newOrganization(1_000), 1_000);
    await ledger.openHold(hold);
    await ledger.settle(settlementOf(hold, 0, { status: 'reconciliation_required' }));
    expect(await storeThatLoses().settle(settlementOf(hold, 300))).toBe(false);
  });
});

describe('a hold whose answer was lost', () => {
  it('is released, because its caller was told of a failure', async () => {
    const organizationId = await newOrganization(1_000);
    const hold = holdOf(organizationId, 1_000);
    const store = storeThatLoses();
    await expect(store.openHold(hold)).rejects.toThrow('cannot be reached');
    await store.drain();
    expect(await recordOf(hold)).toMatchObject({
      status: 'failed',
      heldNanos: 1_000n,
      customerNanos: ZERO_NANOS,
    });
    expect(await walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
  });
});

describe('the ledger', () => {
  it('is drained, for everyone who waits, when what was under way is booked', async () => {
    const hold = holdOf(await newOrganization(1_000), 1_000);
    void ledger.openHold(hold);
    await Promise.all([ledger.drain(), ledger.drain()]);
    expect(await recordOf(hold)).toMatchObject({ status: 'pending', heldNanos: 1_000n });
    await ledger.drain();
  });

  it('balances after calls of several organizations raced each other', async () => {
    const organizations = await Promise.all([1, 2, 3].map(() => newOrganization(50_000)));
    const stores = [new LedgerStore(test.database), new LedgerStore(test.database)];
    const call = async (at: number): Promise<void> => {
      const store = stores[at % 2]!;
      const hold = holdOf(organizations[at % 3]!, 700);
      if ((await store.openHold(hold)).held !== null)
        await store.settle(settlementOf(hold, (at * 37) % 1_000));
    };
    await Promise.all(Array.from({ length: 300 }, (_, at) => call(at)));
    for (const organizationId of organizations) {
      const wallet = await walletOf(organizationId);
      expect(wallet?.heldNanos).toBe(0n);
      expect(await sumOfEntries(`wallet:${organizationId}`)).toBe(wallet?.balanceNanos);
    }
    expect(await sumOfEntries()).toBe(0n);
  });

  it('books a settlement here and a hold there, and the other way round, without waiting in circles', async () => {
    const [first, second] = (await Promise.all([1, 2].map(() => newOrganization(1_000_000)))) as [
      string,
      string,
    ];
    const failures: unknown[] = [];
    const [one, other] = [storeThatNotes(failures), storeThatNotes(failures)];
    /** The first hold is under way while the other two gather: they go together. */
    const bookTogether = (store: LedgerStore, settled: HoldRequest, organizationId: string) => [
      store.openHold(holdOf(settled.organizationId, 1)),
      store.settle(settlementOf(settled, 60)),
      store.openHold(holdOf(organizationId, 1)),
    ];
    for (let round = 0; round < 40; round++) {
      const [ofFirst, ofSecond] = [holdOf(first, 100), holdOf(second, 100)];
      await Promise.all([one.openHold(ofFirst), other.openHold(ofSecond)]);
      await Promise.all([...bookTogether(one, ofSecond, first), ...bookTogether(other, ofFirst, second)]);
    }
    expect(failures).toEqual([]);
    for (const organizationId of [first, second]) {
      expect(await walletOf(organizationId)).toEqual({ balanceNanos: 997_600n, heldNanos: 80n });
    }
  });
});
