import { openDatabase } from '@svc/database';
import { heartbeatWas, openTestDatabase, startSilentProxy, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { eventually } from '@svc/testing';
import { holdOf, settlementOf, UNOBSERVED } from '../../testing/ledger-world';
import { EdgeInstanceStore } from '../recovery/edge-instance-store';
import { LedgerStore } from '../wallet/ledger-store';
import { WalletStore } from '../wallet/wallet-store';
import { type ClaimRequest, IdempotencyStore } from './idempotency-store';

const organizationId = systemIds('organization');
const ANSWER = Buffer.from('sealed');
let test: TestDatabase;
let store: IdempotencyStore;
let ledger: LedgerStore;
let instances: EdgeInstanceStore;
beforeEach(async () => {
  test = await openTestDatabase();
  store = new IdempotencyStore(test.database);
  ledger = new LedgerStore(test.database);
  instances = new EdgeInstanceStore(test.database);
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000_000), 'test');
  await instances.renewEdgeInstance('edge_1', 60_000);
  await heartbeatWas(test.database);
});
afterEach(() => test.close());

const call = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  organizationId,
  key: 'order-7',
  requestId: systemIds('request'),
  fingerprint: Buffer.alloc(32, 1),
  edgeInstanceId: 'edge_1',
  ...more,
});
const hold = ({ requestId, edgeInstanceId }: ClaimRequest) =>
  ledger.openHold(holdOf(organizationId, 1, { requestId, edgeInstanceId, route: 'messages' }));
const settle = ({ requestId }: ClaimRequest, errorCode: string | null) =>
  ledger.settle(
    settlementOf({ requestId, organizationId }, 1, {
      ...UNOBSERVED,
      ...{ status: errorCode === null ? 'succeeded' : 'reconciliation_required', provider: null, errorCode },
    }),
  );
const answered = async (original = call()): Promise<ClaimRequest> => {
  await store.claim(original);
  await hold(original);
  await store.keep(original, ANSWER);
  await settle(original, null);
  return original;
};
const expire = () => test.database.prisma.idempotencyClaim.updateMany({ data: { expiresAt: new Date(0) } });
const diesNow = () => instances.removeEdgeInstance('edge_1');

describe('a key', () => {
  it('goes to one of a hundred calls that claim it at once, over two connection pools', async () => {
    const second = openDatabase({ url: test.url, poolSize: 10 });
    const stores = [store, new IdempotencyStore(second)];
    const calls = Array.from({ length: 100 }, () => call());
    const claims = await Promise.all(calls.map((each, at) => stores[at % 2]!.claim(each)));
    await second.close();
    const winners = calls.filter((_, at) => claims[at] === null);
    expect(winners).toHaveLength(1);
    for (const standing of claims) {
      if (standing !== null)
        expect(standing).toMatchObject({ requestId: winners[0]!.requestId, isAnswered: false });
    }
  });

  it('is another one in another organization', async () => {
    expect(await store.claim(call())).toBeNull();
    expect(await store.claim(call({ organizationId: 'org_2' }))).toBeNull();
  });

  it('is free again once its call released it, and no other call can release it', async () => {
    const original = call();
    await store.claim(original);
    await store.release(call());
    expect(await store.claim(call())).not.toBeNull();
    await store.release(original);
    expect(await store.claim(call())).toBeNull();
  });

  it.each(['provider_error', null])(
    'is free again when its call ended without an answer (%s)',
    async (errorCode) => {
      const original = call();
      await store.claim(original);
      await hold(original);
      expect(await store.claim(call())).not.toBeNull();
      await settle(original, errorCode);
      expect(await store.claim(call())).toBeNull();
    },
  );

  it('goes to one of a hundred calls when the process that held it has died', async () => {
    const original = call();
    await store.claim(original);
    await diesNow();
    await instances.renewEdgeInstance('edge_2', 60_000);
    const calls = Array.from({ length: 100 }, () => call({ edgeInstanceId: 'edge_2' }));
    const claims = await Promise.all(calls.map((each) => store.claim(each)));
    expect(claims.filter((standing) => standing === null)).toHaveLength(1);
  });

  it('stays with its call whose lease lapsed while the database took no writes', async () => {
    await store.claim(call());
    await diesNow();
    await heartbeatWas(test.database, { beatenAgoMs: 38_000 });
    expect(await store.claim(call({ edgeInstanceId: 'edge_2' }))).not.toBeNull();
    await heartbeatWas(test.database, { writableForMs: 5_000 });
    expect(await store.claim(call({ edgeInstanceId: 'edge_2' }))).not.toBeNull();
  });

  it('that was taken over cannot be answered by the call that lost it', async () => {
    const original = call();
    await store.claim(original);
    await diesNow();
    const successor = call({ edgeInstanceId: 'edge_2' });
    await store.claim(successor);
    expect(await store.keep(original, ANSWER)).toBe(false);
    await instances.renewEdgeInstance('edge_2', 60_000);
    expect(await store.claim(call())).toMatchObject({ requestId: successor.requestId, isAnswered: false });
  });

  it('is free again after its time, answered or not', async () => {
    await answered();
    await expire();
    expect(await store.claim(call())).toBeNull();
    await expire();
    expect(await store.claim(call())).toBeNull();
  });
});

describe('an answer', () => {
  it('is given again to the same body, with the id of its call, also after its process ended', async () => {
    const original = await answered();
    await diesNow();
    expect(await store.claim(call())).toEqual({
      requestId: original.requestId,
      fingerprint: original.fingerprint,
      isAnswered: true,
      sealedAnswer: ANSWER,
    });
  });

  it('is not read for another body', async () => {
    await answered();
    const standing = await store.claim(call({ fingerprint: Buffer.alloc(32, 2) }));
    expect(standing).toMatchObject({ isAnswered: true, sealedAnswer: null });
  });

  it('does not stand before it is charged', async () => {
    const original = call();
    await store.claim(original);
    await hold(original);
    await store.keep(original, ANSWER);
    expect(await store.claim(call())).toMatchObject({ isAnswered: false, sealedAnswer: null });
    // The key is not free either while the worker may still find a charge.
    await diesNow();
    expect(await store.claim(call())).toMatchObject({ isAnswered: false });
    await settle(original, null);
    expect(await store.claim(call())).toMatchObject({ isAnswered: true, sealedAnswer: ANSWER });
  });

  it('that was never charged, because its process died, frees the key when the worker closes its call', async () => {
    const original = call();
    await store.claim(original);
    await hold(original);
    await store.keep(original, ANSWER);
    await diesNow();
    await settle(original, 'worker_lost');
    expect(await store.claim(call())).toBeNull();
  });
});

/** The statements with which the pool's connections wait for a lock. */
async function waitingStatements(): Promise<{ pid: number; query: string }[]> {
  const { rows } = await test.database.background.query<{ pid: number; query: string }>(
    `SELECT pid, query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows;
}
const whenOneWaits = () =>
  eventually(async () => {
    const [waiting, ...others] = await waitingStatements();
    expect([waiting, others]).toEqual([expect.anything(), []]);
    return waiting!;
  });

/** Locks the claims in a transaction of another connection, as a manual repair would. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const other = await test.database.connectAlone();
  await other.query('BEGIN');
  await other.query('SELECT FROM idempotency_claims FOR UPDATE');
  try {
    return await work();
  } finally {
    await other.query('ROLLBACK');
  }
}

describe('a key whose claim is locked by another transaction', () => {
  const duplicates = () => Promise.allSettled(Array.from({ length: 50 }, () => store.claim(call())));
  const othersGoOn = async (): Promise<void> => {
    const keys = Array.from({ length: 20 }, (_, at) => `other-${String(at)}`);
    const claims = await Promise.all(keys.map((key) => store.claim(call({ key }))));
    expect(claims).toEqual(keys.map(() => null));
    await test.database.pool.query('SELECT 1');
  };

  it('costs one connection, however many calls want it: all others go on', async () => {
    await store.claim(call());
    await diesNow();
    const claims = await locked(async () => {
      const claiming = duplicates();
      await whenOneWaits();
      await instances.renewEdgeInstance('edge_1', 60_000);
      expect(test.database.pool.waitingCount).toBe(0);
      await othersGoOn();
      return claiming;
    });
    // None of them waits longer than a statement may.
    expect(claims.filter(({ status }) => status === 'rejected')).toHaveLength(50);
    expect(claims[49]).toMatchObject({ reason: { reason: 'overloaded' } });
    expect(await store.claim(call())).toMatchObject({ isAnswered: false });
  });

  it('goes to one of them when the lock is gone in time', async () => {
    await store.claim(call({ edgeInstanceId: 'edge_dead' }));
    let claiming: ReturnType<typeof duplicates> | undefined;
    await locked(async () => {
      claiming = duplicates();
      await whenOneWaits();
    });
    const claims = await claiming!;
    expect(claims.filter((each) => each.status === 'fulfilled' && each.value === null)).toHaveLength(1);
    expect(claims.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('is answered for without a lock while its call is in flight', async () => {
    const original = call();
    await store.claim(original);
    await locked(async () => {
      const claims = await duplicates();
      for (const standing of claims) {
        expect(standing).toMatchObject({ value: { requestId: original.requestId, isAnswered: false } });
      }
      expect(await waitingStatements()).toEqual([]);
    });
  });
});

describe('a statement that was cancelled', () => {
  /** As an operator would. */
  const cancelOne = async (): Promise<void> => {
    const { pid } = await whenOneWaits();
    await test.database.background.query('SELECT pg_cancel_backend($1)', [pid]);
    await eventually(async () => {
      expect((await waitingStatements()).map((waiting) => waiting.pid)).not.toContain(pid);
    });
  };

  it('loses no answer', async () => {
    const original = call();
    await store.claim(original);
    await hold(original);
    let keeping: Promise<boolean> | undefined;
    await locked(() => {
      keeping = store.keep(original, ANSWER);
      return cancelOne();
    });
    expect(await keeping).toBe(true);
    await settle(original, null);
    expect(await store.claim(call())).toMatchObject({ sealedAnswer: ANSWER });
  });

  it('leaves no key behind', async () => {
    const original = call();
    await store.claim(original);
    let releasing: Promise<void> | undefined;
    await locked(() => {
      releasing = store.release(original);
      return cancelOne();
    });
    await releasing;
    expect(await store.claim(call())).toBeNull();
  });
});

describe('a claim whose answer was lost', () => {
  it('is taken back, also one that the server makes when it comes to it', async () => {
    const proxy = await startSilentProxy(test.url);
    const distant = openDatabase({ url: proxy.url, poolSize: 2 });
    const original = call();
    const [released, late] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const halfOpen = new IdempotencyStore(distant, () => {
      released.resolve(null);
      return late.promise;
    });
    const rows = () => test.database.prisma.idempotencyClaim.findMany();
    try {
      await store.claim(call({ edgeInstanceId: 'edge_dead' }));
      await locked(async () => {
        const refused = halfOpen.claim(original).catch((error: unknown) => error);
        await whenOneWaits();
        proxy.cut();
        expect(await refused).toMatchObject({ reason: 'overloaded' });
        await released.promise;
      });
      await eventually(async () => {
        expect(await rows()).toMatchObject([{ requestId: original.requestId }]);
      });
      late.resolve(null);
      await eventually(async () => {
        expect(await rows()).toEqual([]);
      });
    } finally {
      await distant.close();
      await proxy.close();
    }
  });
});

describe('retention', () => {
  it('keeps a claim for 24 hours', async () => {
    await store.claim(call());
    const { createdAt, expiresAt } = await test.database.prisma.idempotencyClaim.findFirstOrThrow();
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(24 * 60 * 60_000);
  });
});
