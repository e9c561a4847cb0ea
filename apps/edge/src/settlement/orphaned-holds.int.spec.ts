import { nanos } from '@svc/kernel';
import { LedgerStore, RequestRecordStore, WalletStore } from '@svc/ledger/store';
import { holdOf } from '@svc/ledger/testing';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemClock, systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { OrphanedHolds } from './orphaned-holds';

const EDGE = 'edge_1';

let test: TestDatabase;
let organizationId: string;
let served: Set<string>;
let forgotten: OrphanedHolds;
beforeEach(async () => {
  test = await emptyTestDatabase();
  organizationId = systemIds('organization');
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000), 'test');
  served = new Set();
  forgotten = new OrphanedHolds({
    records: new RequestRecordStore(test.database),
    ledger: new LedgerStore(test.database),
    served: () => served,
    logger: createLogger({ service: 'edge', level: 'silent' }),
    clock: systemClock,
    newId: systemIds,
  });
});
afterEach(() => test.close());

async function openedAgo(seconds: number, edgeInstanceId = EDGE): Promise<string> {
  const hold = holdOf(organizationId, 100, { edgeInstanceId, route: 'messages', stream: true });
  await new LedgerStore(test.database).openHold(hold);
  await test.database.pool.query(
    `UPDATE request_records SET created_at = now() - $2 * interval '1 s' WHERE id = $1`,
    [hold.requestId, seconds],
  );
  return hold.requestId;
}
const statusOf = async (id: string) =>
  (await test.database.prisma.requestRecord.findUniqueOrThrow({ where: { id } })).status;
const heldNanos = async () => (await test.database.prisma.wallet.findFirstOrThrow()).heldNanos;

it('a hold without a call in its living edge is released, without a charge, and needs reconciliation', async () => {
  const id = await openedAgo(31);
  await forgotten.sweep(EDGE);
  expect(await statusOf(id)).toBe('reconciliation_required');
  expect(await heldNanos()).toBe(0n);
  const events = await test.database.prisma.outboxEvent.findMany({
    where: { type: 'request.reconciliation_required' },
  });
  expect(events.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data)).toEqual([
    { request_id: id, model: 'acme/small', provider: null, reason: 'worker_lost' },
  ]);
});

it('a call in flight keeps its hold, however long it takes', async () => {
  const id = await openedAgo(3_600);
  served.add(id);
  await forgotten.sweep(EDGE);
  expect(await statusOf(id)).toBe('pending');
});

it('a hold that was opened a moment ago may be on its way to its call', async () => {
  const id = await openedAgo(5);
  await forgotten.sweep(EDGE);
  expect(await statusOf(id)).toBe('pending');
});

it('a hold of another edge is left to that edge', async () => {
  const id = await openedAgo(60, 'edge_2');
  await forgotten.sweep(EDGE);
  expect(await statusOf(id)).toBe('pending');
});
