import { BudgetSpendStore, DeliveryRetention, OutboxStore } from '@svc/persistence';
import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { deleteIdleSessions, deleteOldDeliveries, deletePublishedEvents } from './delete-old-history';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

describe('published events', () => {
  it('are deleted after 30 days, however many there are; unpublished ones never', async () => {
    const event = (id: string, publishedAt: Date | null) => ({
      id,
      organizationId: 'org_1',
      type: 'budget.exceeded',
      payload: '{}',
      createdAt: daysAgo(90),
      publishedAt,
    });
    const old = Array.from({ length: 501 }, (_, at) => event(`evt_${String(at)}`, daysAgo(31)));
    const kept = [event('evt_unpublished', null), event('evt_young', daysAgo(29))];
    await test.database.prisma.outboxEvent.createMany({ data: [...old, ...kept] });
    const outbox = new OutboxStore(test.database);
    expect(await deletePublishedEvents(outbox)).toEqual({ more: true });
    expect(await deletePublishedEvents(outbox)).toEqual({ more: false });
    const left = await test.database.prisma.outboxEvent.findMany({ orderBy: { id: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual(['evt_unpublished', 'evt_young']);
  });
});

describe('what budgets counted', () => {
  const addBudget = (id: string, period: string) =>
    test.database.prisma.budget.create({
      data: {
        id,
        organizationId: 'org_1',
        name: id,
        scope: 'organization',
        scopeId: 'org_1',
        period,
        amountNanos: 1_000n,
        action: 'block',
        warnAtBps: 8_000,
      },
    });

  it('is deleted for sessions idle for 30 days, unless a call or an event is pending; for months never', async () => {
    const { prisma } = test.database;
    await prisma.organization.create({ data: { id: 'org_1', name: 'Acme' } });
    await addBudget('bud_session', 'session');
    await addBudget('bud_month', 'month');
    const idle = { budgetId: 'bud_session', updatedAt: daysAgo(31), reviewDue: false };
    await prisma.budgetSpend.createMany({
      data: [
        ...Array.from({ length: 501 }, (_, at) => ({ ...idle, periodKey: String(at) })),
        { ...idle, periodKey: 'young', updatedAt: daysAgo(29) },
        { ...idle, periodKey: 'holding', reservedNanos: 1n },
        { ...idle, periodKey: 'unreviewed', reviewDue: true },
        { ...idle, periodKey: '2026-01', budgetId: 'bud_month' },
      ],
    });
    const spends = new BudgetSpendStore(test.database);
    expect(await deleteIdleSessions(spends)).toEqual({ more: true });
    expect(await deleteIdleSessions(spends)).toEqual({ more: false });
    const left = await prisma.budgetSpend.findMany({ orderBy: { periodKey: 'asc' } });
    expect(left.map(({ periodKey }) => periodKey)).toEqual(['2026-01', 'holding', 'unreviewed', 'young']);
  });
});

describe('webhook deliveries', () => {
  it('are deleted 90 days after they were made, with their events, once they have ended', async () => {
    const { prisma } = test.database;
    const idAt = (kind: 'event' | 'webhookDelivery', days: number, unique: number) =>
      formatId(kind, daysAgo(days).getTime(), new Uint8Array(ID_ENTROPY_BYTES).fill(unique));
    await prisma.organization.create({ data: { id: 'org_1', name: 'Acme' } });
    const endpoint = { id: 'whe_1', organizationId: 'org_1', url: 'https://acme.example', eventTypes: [] };
    const secret = { secretCiphertext: new Uint8Array(1), secretLast4: '0000' };
    await prisma.webhookEndpoint.create({ data: { ...endpoint, ...secret } });
    const deliver = async (days: number, status: string, unique: number) => {
      const eventId = idAt('event', days, unique);
      const common = { organizationId: 'org_1', createdAt: daysAgo(days) };
      await prisma.webhookEvent.create({ data: { id: eventId, type: 'x', payload: '{}', ...common } });
      const delivery = { id: idAt('webhookDelivery', days, unique), eventId, eventType: 'x', status };
      await prisma.webhookDelivery.create({
        data: {
          ...delivery,
          endpointId: 'whe_1',
          nextAttemptAt: status === 'queued' ? new Date() : null,
          ...common,
        },
      });
      return delivery.id;
    };
    await deliver(91, 'succeeded', 1);
    const kept = [await deliver(91, 'queued', 2), await deliver(89, 'dead', 3)];

    expect(await deleteOldDeliveries(new DeliveryRetention(test.database))).toEqual({ more: false });
    const left = await prisma.webhookDelivery.findMany({ select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(await prisma.webhookEvent.count()).toBe(2);
  });
});
