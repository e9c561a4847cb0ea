import { historyPage, UnitOfWork } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type Page } from '@svc/kernel';
import { BULK_RETRY_MAX, webhookDeliveries, WebhookDeliveryStore } from './delivery-store';

const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';
const ENDPOINT = 'whe_06dpm2q4x8k3c0v9r7t5w1hzn1';
const OTHER_ENDPOINT = 'whe_06dpm2q4x8k3c0v9r7t5w1hzn2';
/** For each of the two endpoints. The newer ones belong to the other endpoint. */
const DELIVERIES = BULK_RETRY_MAX + 500;

const deliveryId = (row: number): string => `dlv_${String(row).padStart(10, '0')}${'0'.repeat(16)}`;

let test: TestDatabase;
let store: WebhookDeliveryStore;

beforeAll(async () => {
  test = await openTestDatabase();
  store = new WebhookDeliveryStore(test.database);
  const { prisma, pool } = test.database;
  await prisma.organization.create({ data: { id: ORGANIZATION, name: 'Acme' } });
  for (const id of [ENDPOINT, OTHER_ENDPOINT]) {
    const url = 'https://hooks.example.com/';
    const data = {
      id,
      organizationId: ORGANIZATION,
      url,
      secretCiphertext: Uint8Array.of(0),
      secretLast4: '0000',
    };
    await prisma.webhookEndpoint.create({ data });
  }
  await pool.query(
    `INSERT INTO webhook_events (id, organization_id, type, payload)
     SELECT 'evt_' || i, $1, 'policy.updated', '{}' FROM generate_series(1, $2::int) i`,
    [ORGANIZATION, 2 * DELIVERIES],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id, status, attempt_count,
       next_attempt_at)
     SELECT 'dlv_' || lpad(i::text, 10, '0') || repeat('0', 16), $1, 'evt_' || i, 'policy.updated',
       CASE WHEN i <= $2::int THEN $3 ELSE $4 END, 'dead', 6, NULL
     FROM generate_series(1, 2 * $2::int) i`,
    [ORGANIZATION, DELIVERIES, ENDPOINT, OTHER_ENDPOINT],
  );
  await pool.query('ANALYZE webhook_deliveries');
});
afterAll(() => test.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const page = (before: string | null, limit: number): Page => ({ limit, before });

describe('44: a page of deliveries', () => {
  it.each([
    ['of the organization', {}, 'webhook_deliveries_organization_id_id_idx'],
    [
      'of an endpoint that was told of nothing lately',
      { of: { column: Prisma.sql`endpoint_id`, id: ENDPOINT } },
      'webhook_deliveries_endpoint_id_id_idx',
    ],
  ])('%s is one range of one index', async (_, of, index) => {
    const query = { organizationId: ORGANIZATION, ...of, page: page(null, 20), within: {}, conditions: [] };
    const [answer] = await test.database.prisma.$queryRaw<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
      Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${historyPage(webhookDeliveries, query)}`,
    );
    const scans = nodesOf(answer!['QUERY PLAN'][0]!.Plan).filter((node) => 'Index Name' in node);
    expect(scans).toMatchObject([{ 'Index Name': index, 'Actual Rows': 21 }]);
  });

  it('of an endpoint holds its own, the newest first', async () => {
    const { items, hasMore } = await store.listWebhookDeliveries(ORGANIZATION, page(deliveryId(3), 2), {
      endpointId: ENDPOINT,
    });
    expect(items.map(({ id }) => id)).toEqual([deliveryId(2), deliveryId(1)]);
    expect(hasMore).toBe(false);
  });

  it('shows another organization nothing, whatever endpoint it names', async () => {
    const other = 'org_06dpm2q4x8k3c0v9r7t5w1hzn0';
    const { items } = await store.listWebhookDeliveries(other, page(null, 20), { endpointId: ENDPOINT });
    expect(items).toEqual([]);
  });
});

describe('44: a bulk retry', () => {
  it(`queues ${String(BULK_RETRY_MAX)} in one statement, the oldest first, and the rest when it is repeated`, async () => {
    const unitOfWork = new UnitOfWork(test.database);
    const retry = () => unitOfWork.transaction((tx) => store.requeueMany(tx, ENDPOINT, { status: 'dead' }));
    const { webhookDelivery } = test.database.prisma;

    expect(await retry()).toBe(BULK_RETRY_MAX);
    const { id: oldestLeft } = await webhookDelivery.findFirstOrThrow({
      where: { status: 'dead' },
      orderBy: { id: 'asc' },
    });
    expect(oldestLeft).toBe(deliveryId(BULK_RETRY_MAX + 1));
    expect(await Promise.all([retry(), retry()])).toEqual(expect.arrayContaining([500, 0]));

    const again = { status: 'queued', round: 2, attemptCount: 0, nextAttemptAt: { not: null } };
    expect(await webhookDelivery.count({ where: { endpointId: ENDPOINT, ...again } })).toBe(DELIVERIES);
    expect(await webhookDelivery.count({ where: { endpointId: OTHER_ENDPOINT, status: 'dead' } })).toBe(
      DELIVERIES,
    );
  });
});
