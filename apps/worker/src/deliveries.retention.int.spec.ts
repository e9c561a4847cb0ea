import { DeliveryRetention } from '@svc/deliveries/store';
import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { deleteOldDeliveries } from './deliveries.tasks';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

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
