import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { openDatabase } from '../database/database';
import { LedgerStore } from '../ledger/ledger-store';
import { WalletStore } from '../ledger/wallet-store';
import { EdgeInstanceStore } from '../recovery/edge-instance-store';
import { openTestDatabase, type TestDatabase } from '../testing';
import { type ClaimRequest, IdempotencyStore } from './idempotency-store';

jest.setTimeout(60_000);

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
  await instances.renew('edge_1', 60_000);
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
  ledger.openHold({
    requestId,
    organizationId,
    projectId: null,
    apiKeyId: 'key_1',
    edgeInstanceId,
    sessionId: null,
    route: 'messages',
    model: 'acme/small',
    stream: false,
    holdMin: nanos(1),
    holdMax: nanos(1),
  });
const settle = ({ requestId }: ClaimRequest, errorCode: string | null) =>
  ledger.settle({
    requestId,
    organizationId,
    status: errorCode === null ? 'succeeded' : 'reconciliation_required',
    charge: nanos(1),
    costState: 'final',
    provider: null,
    httpStatus: 200,
    errorCode,
    attempts: [],
    usage: null,
    ttftMs: null,
    durationMs: null,
    events: [],
  });
const answered = async (original = call()): Promise<ClaimRequest> => {
  await store.claim(original);
  await hold(original);
  await store.keep(original, ANSWER);
  await settle(original, null);
  return original;
};
const expire = () => test.database.prisma.idempotencyClaim.updateMany({ data: { expiresAt: new Date(0) } });
const diesNow = () => instances.remove('edge_1');

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
    await instances.renew('edge_2', 60_000);
    const calls = Array.from({ length: 100 }, () => call({ edgeInstanceId: 'edge_2' }));
    const claims = await Promise.all(calls.map((each) => store.claim(each)));
    expect(claims.filter((standing) => standing === null)).toHaveLength(1);
  });

  it('that was taken over can’t be answered by the call that lost it', async () => {
    const original = call();
    await store.claim(original);
    await diesNow();
    const successor = call({ edgeInstanceId: 'edge_2' });
    await store.claim(successor);
    expect(await store.keep(original, ANSWER)).toBe(false);
    await instances.renew('edge_2', 60_000);
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
    // Nor is its key free while the worker may still find that it was charged.
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

describe('retention', () => {
  it('deletes what has expired, as many as asked for, and nothing else', async () => {
    await store.claim(call({ key: 'a' }));
    await store.claim(call({ key: 'b' }));
    await answered(call({ key: 'c' }));
    await expire();
    await store.claim(call({ key: 'd' }));
    expect(await store.deleteExpired(2)).toBe(2);
    expect(await store.deleteExpired(2)).toBe(1);
    expect(await store.deleteExpired(2)).toBe(0);
    const left = await test.database.prisma.idempotencyClaim.findMany({ select: { key: true } });
    expect(left).toEqual([{ key: 'd' }]);
  });

  it('keeps a claim for 24 hours', async () => {
    await store.claim(call());
    const { createdAt, expiresAt } = await test.database.prisma.idempotencyClaim.findFirstOrThrow();
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(24 * 60 * 60_000);
  });
});
