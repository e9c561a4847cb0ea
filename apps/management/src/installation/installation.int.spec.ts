import { ParkedMessageStore } from '@svc/database';
import { heartbeatWas } from '@svc/database/testing';
import { DatabaseHeartbeat, EdgeInstanceStore } from '@svc/ledger/store';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

describe('the health of the installation', () => {
  let management: ManagementUnderTest;
  let operator: Client;

  beforeAll(async () => {
    management = await startManagement();
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  afterAll(() => management.close());

  const read = async () => (await operator.get('/platform/v1/health')).body;

  it('has the version, and queues in which nothing waits', async () => {
    const health = await read();
    expect(health.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(health.queues).toEqual(
      [
        'events',
        'parked_messages',
        'webhook_endpoints',
        'mails',
        'exports',
        'incident_updates',
        'payments_in_review',
      ].map((name) => ({ name, waiting: 0, oldest_at: null })),
    );
    expect(health.edges).toEqual([]);
  });

  it('says whether a worker has beaten lately, by the clock of the database', async () => {
    await new DatabaseHeartbeat(management.database).beat();
    expect((await read()).worker).toMatchObject({ is_live: true, beat_at: expect.any(String) });
    await heartbeatWas(management.database, { beatenAgoMs: 60_000 });
    expect((await read()).worker).toMatchObject({ is_live: false });
  });

  it('says which edges hold their lease', async () => {
    const edges = new EdgeInstanceStore(management.database);
    await edges.renewEdgeInstance('edge-live', 60_000);
    await edges.renewEdgeInstance('edge-dead', -1);
    const shown = (await read()).edges.map(({ id, is_live: isLive }: { id: string; is_live: boolean }) => [
      id,
      isLive,
    ]);
    expect(new Map(shown)).toEqual(
      new Map([
        ['edge-live', true],
        ['edge-dead', false],
      ]),
    );
  });

  it('counts what waits, and says since when', async () => {
    await new ParkedMessageStore(management.database).park({
      consumer: 'webhooks',
      topic: 'svc.events.v1',
      partition: 0,
      offset: 1n,
      key: null,
      payload: Buffer.from('x'),
      reason: 'no',
    });
    const createdAt = new Date('2026-11-20T09:30:00.000Z');
    const event = { id: 'evt_1', organizationId: 'org_1', type: 'x', payload: '{}', createdAt };
    await management.database.prisma.outboxEvent.create({ data: event });
    const queues = new Map((await read()).queues.map((queue: { name: string }) => [queue.name, queue]));
    expect(queues.get('parked_messages')).toMatchObject({ waiting: 1, oldest_at: expect.any(String) });
    expect(queues.get('events')).toMatchObject({ waiting: 1, oldest_at: createdAt.toISOString() });
  });

  it('is for the operator alone', async () => {
    const owner = await management.withSession(await management.newOrganization(), 'owner');
    expect((await owner.get('/platform/v1/health')).status).toBe(401);
  });
});
