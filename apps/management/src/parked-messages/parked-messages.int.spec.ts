import { ParkedMessageStore } from '@svc/database';
import { systemIds } from '@svc/runtime';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const MESSAGES = '/platform/v1/parked-messages';

describe('parked messages', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  let parking: ParkedMessageStore;
  let offset = 0n;

  beforeAll(async () => {
    management = await startManagement();
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    parking = new ParkedMessageStore(management.database);
  });
  beforeEach(() => management.database.prisma.parkedMessage.deleteMany());
  afterAll(() => management.close());

  /** An event that was published, as the outbox keeps it. */
  async function publishedEvent(): Promise<{ id: string; payload: string }> {
    const id = systemIds('event');
    const payload = `{"data":{},"id":"${id}","organization_id":"org_1","type":"wallet.credit_granted"}`;
    const row = {
      id,
      organizationId: 'org_1',
      type: 'wallet.credit_granted',
      payload,
      publishedAt: new Date(),
    };
    await management.database.prisma.outboxEvent.create({ data: row });
    return { id, payload };
  }
  const park = async (payload: string | Buffer, place = (offset += 1n), consumer = 'webhooks') => {
    await parking.park({
      consumer,
      topic: 'svc.events.v1',
      partition: 3,
      offset: place,
      key: 'org_1',
      payload: Buffer.from(payload),
      reason: 'Error: it broke',
    });
    return place;
  };
  const listed = async (query = '') => (await operator.get(MESSAGES + query)).body.data;
  const isPublished = async (id: string) =>
    (await management.database.prisma.outboxEvent.findUniqueOrThrow({ where: { id } })).publishedAt !== null;
  const audited = async (id: string) => {
    const { body } = await operator.get(`/platform/v1/audit-log?target_id=${id}`);
    return body.data.map(({ action, changes }: { action: string; changes: unknown }) => ({
      action,
      changes,
    }));
  };

  it('are listed with the reason and the event, those parked last first, and read by their ids', async () => {
    const event = await publishedEvent();
    await park(event.payload, 2n ** 63n - 1n);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await park(Buffer.from([0, 255]), undefined, 'audit');

    const [foreign, known] = await listed();
    expect(foreign).toMatchObject({
      consumer: 'audit',
      event_id: null,
      event_type: null,
      can_requeue: false,
    });
    expect(known).toEqual({
      id: expect.stringMatching(/^pkm_[0-9a-hjkmnp-tv-z]{26}$/),
      state: 'waiting',
      consumer: 'webhooks',
      topic: 'svc.events.v1',
      partition: 3,
      offset: '9223372036854775807',
      key: 'org_1',
      reason: 'Error: it broke',
      payload_bytes: event.payload.length,
      event_id: event.id,
      event_type: 'wallet.credit_granted',
      can_requeue: true,
      parked_at: expect.any(String),
      resolved_at: null,
    });
    expect((await operator.get(`${MESSAGES}/${known.id}`)).body).toEqual(known);
    expect(await listed('?consumer=audit')).toEqual([foreign]);
  });

  it('are listed page by page', async () => {
    for (let count = 0; count < 5; count++) await park('{}');
    const first = (await operator.get(`${MESSAGES}?limit=3`)).body;
    const second = (await operator.get(`${MESSAGES}?limit=3&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect([new Set(ids).size, first.has_more, second.has_more]).toEqual([5, true, false]);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('are published again by the operator, once, with an entry in the log of the platform', async () => {
    const event = await publishedEvent();
    const place = await park(event.payload);
    const [{ id }] = await listed();

    const answers = await Promise.all([1, 2, 3].map(() => operator.post(`${MESSAGES}/${id}/requeue`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await isPublished(event.id)).toBe(false);
    expect(await listed('?state=waiting')).toEqual([]);
    expect(await listed('?state=resolved')).toMatchObject([{ id, state: 'resolved' }]);
    expect(await audited(id)).toEqual([
      {
        action: 'parked_message.requeue',
        changes: {
          consumer: { to: 'webhooks' },
          event_id: { to: event.id },
          event_type: { to: 'wallet.credit_granted' },
        },
      },
    ]);

    // It fails again: it waits again, under the same id.
    await park(event.payload, place);
    expect(await listed('?state=waiting')).toMatchObject([{ id, resolved_at: null }]);
  });

  it('are given up by the operator', async () => {
    const event = await publishedEvent();
    await park(event.payload);
    const [{ id }] = await listed();
    expect((await operator.post(`${MESSAGES}/${id}/discard`)).body).toMatchObject({ id, state: 'resolved' });
    expect(await isPublished(event.id)).toBe(true);
    expect((await operator.post(`${MESSAGES}/${id}/requeue`)).status).toBe(409);
    expect((await audited(id)).map(({ action }: { action: string }) => action)).toEqual([
      'parked_message.discard',
    ]);
  });

  it('that are no event, or whose event is not kept any more, wait on when they are requeued', async () => {
    await park('nothing');
    await park(`{"id":"${systemIds('event')}","organization_id":"org_1","type":"wallet.credit_granted"}`);
    for (const { id } of await listed()) {
      const { status, body } = await operator.post(`${MESSAGES}/${id}/requeue`);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
    expect(await listed('?state=waiting')).toHaveLength(2);
  });

  it('that are not there are 404', async () => {
    for (const id of [systemIds('parkedMessage'), systemIds('event'), 'pkm_']) {
      expect((await operator.get(`${MESSAGES}/${id}`)).status).toBe(404);
      expect((await operator.post(`${MESSAGES}/${id}/requeue`)).status).toBe(404);
      expect((await operator.post(`${MESSAGES}/${id}/discard`)).status).toBe(404);
    }
  });
});
