import { DeliveryRetention } from '@svc/deliveries/store';
import { eventually } from '@svc/testing';
import {
  startManagement,
  type Answered,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';
import { AttemptsOfSpec } from './testing/attempts-of-spec';
import {
  deliver,
  DELIVERIES,
  ENDPOINTS,
  newEndpoint,
  newToldOrganization,
  type ToldOrganization,
} from './testing/told-organization';

describe('deliveries that are sent again', () => {
  let management: ManagementUnderTest;
  let attempts: AttemptsOfSpec;

  beforeAll(async () => {
    management = await startManagement();
    attempts = new AttemptsOfSpec(management.database);
  });
  afterAll(() => management.close());

  const begin = () => newToldOrganization(management);
  const deliverTo = (told: ToldOrganization) => deliver(attempts, told);

  const retries = async ({ id: organizationId }: Organization) => {
    const action = { contains: 'retry' };
    const entries = await management.database.prisma.auditEntry.findMany({
      where: { organizationId, action },
    });
    return entries.map(({ action, targetId, changes }) => ({ action, targetId, changes }));
  };

  /** The answers of calls that all came while another transaction held the delivery's lock. */
  const whileLocked = async (id: string, calls: () => readonly Promise<Answered>[]) => {
    const holder = await management.database.connectAlone();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [id]);
    const answers = calls();
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await management.database.pool.query(waiting)).rowCount).toBe(answers.length);
    });
    await holder.query('COMMIT');
    return Promise.all(answers);
  };

  describe('26: a retry', () => {
    it.each([
      ['succeeded', { status: 'succeeded', nextAttemptAt: null }],
      ['failed', { status: 'failed', nextAttemptAt: new Date(Date.now() + 3_600_000) }],
      ['dead', { status: 'dead', nextAttemptAt: null }],
    ])('queues one that %s again, with the whole schedule before it', async (status, data) => {
      const world = await begin();
      const { organization, key, endpointId } = world;
      const id = await deliverTo(world);
      const { eventId } = await attempts.attempt(endpointId, 500);
      await management.database.prisma.webhookDelivery.update({
        where: { id },
        data: { ...data, attemptCount: 6 },
      });

      const answer = await key.post(`${DELIVERIES}/${id}/retry`);
      expect(answer).toMatchObject({
        status: 200,
        body: { id, event_id: eventId, status: 'queued', round: 2, attempt_count: 0 },
      });
      expect(Date.parse(answer.body.next_attempt_at)).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(await retries(organization)).toEqual([
        {
          action: 'webhook_delivery.retry',
          targetId: id,
          changes: { status: { from: status, to: 'queued' }, round: { from: 1, to: 2 } },
        },
      ]);
      await attempts.attempt(endpointId, 204);
      expect((await key.get(`${DELIVERIES}/${id}`)).body).toMatchObject({
        status: 'succeeded',
        attempt_count: 1,
        attempts_log: [
          { round: 1, attempt: 1, status_code: 500 },
          { round: 2, attempt: 1, status_code: 204 },
        ],
      });
    });

    it('44: that is made twice at once is one; one that is queued stays as it is', async () => {
      const world = await begin();
      const { organization, key, endpointId } = world;
      const id = await deliverTo(world);
      expect((await key.post(`${DELIVERIES}/${id}/retry`)).body).toMatchObject({
        status: 'queued',
        round: 1,
      });
      await attempts.attempt(endpointId, 500);
      const path = `${ENDPOINTS}/${endpointId}/deliveries/${id}/retry`;
      const answers = await whileLocked(id, () => [key.post(path), key.post(path)]);
      expect(answers.map(({ status, body }) => [status, body.round])).toEqual([
        [200, 2],
        [200, 2],
      ]);
      expect(await retries(organization)).toHaveLength(1);
    });

    it('while an attempt is in flight waits for its end, and is not undone by it', async () => {
      const world = await begin();
      const { key, endpointId } = world;
      const id = await deliverTo(world);
      await attempts.attempt(endpointId, 500);
      await attempts.passDelay(id);
      const [inFlight] = await attempts.begin(endpointId);

      expect((await key.post(`${DELIVERIES}/${id}/retry`)).body).toMatchObject({
        status: 'queued',
        round: 2,
      });
      expect(await attempts.begin(endpointId)).toEqual([]);
      await attempts.end(inFlight!, 500);
      expect((await key.get(`${DELIVERIES}/${id}`)).body).toMatchObject({
        status: 'queued',
        round: 2,
        attempt_count: 0,
        attempts_log: [
          { round: 1, attempt: 1 },
          { round: 1, attempt: 2 },
        ],
      });
      expect(await attempts.begin(endpointId)).toMatchObject([{ id, round: 2, attemptNumber: 1 }]);
    });

    it('at the moment an attempt ends holds either way, and loses no attempt', async () => {
      const world = await begin();
      const { key, endpointId } = world;
      for (let race = 0; race < 10; race++) {
        const id = await deliverTo(world);
        await attempts.attempt(endpointId, 500);
        await attempts.passDelay(id);
        const [inFlight] = await attempts.begin(endpointId);
        const [answer] = await Promise.all([
          key.post(`${DELIVERIES}/${id}/retry`),
          attempts.end(inFlight!, race % 2 === 0 ? 204 : 500),
        ]);
        expect(answer.status).toBe(200);
        const { body } = await key.get(`${DELIVERIES}/${id}`);
        expect(body).toMatchObject({ status: 'queued', round: 2, attempt_count: 0 });
        expect(body.attempts_log).toHaveLength(2);
        await attempts.attempt(endpointId, 204);
      }
    });

    it.each(['paused', 'disabled'])('to a %s endpoint waits until it is enabled', async (state) => {
      const world = await begin();
      const { key, endpointId } = world;
      const id = await deliverTo(world);
      await attempts.attempt(endpointId, 204);
      await management.database.prisma.webhookEndpoint.update({
        where: { id: endpointId },
        data: { state, enabled: false },
      });
      expect((await key.post(`${DELIVERIES}/${id}/retry`)).body.status).toBe('queued');
      expect(await attempts.begin(endpointId)).toEqual([]);
      await key.patch(`${ENDPOINTS}/${endpointId}`, { enabled: true });
      expect(await attempts.begin(endpointId)).toMatchObject([{ id }]);
    });
  });

  describe('28: to a deleted endpoint', () => {
    it('are not found any more, become dead where they wait, and are not retried', async () => {
      const world = await begin();
      const { organization, key, endpointId } = world;
      const ended = await deliverTo(world);
      await attempts.attempt(endpointId, 204);
      const inFlight = await deliverTo(world);
      const [attempt] = await attempts.begin(endpointId);
      const waiting = await deliverTo(world);
      await key.delete(`${ENDPOINTS}/${endpointId}`);

      expect(await attempts.begin(endpointId)).toEqual([]);
      await attempts.end(attempt!, 500);
      await new DeliveryRetention(management.database).expireWaiting(100);
      const statuses = await management.database.prisma.webhookDelivery.findMany({
        where: { endpointId },
        select: { id: true, status: true },
        orderBy: { id: 'asc' },
      });
      expect(statuses).toEqual([
        { id: ended, status: 'succeeded' },
        { id: inFlight, status: 'dead' },
        { id: waiting, status: 'dead' },
      ]);
      expect((await key.get(`${ENDPOINTS}/${endpointId}/deliveries`)).status).toBe(404);
      expect((await key.get(DELIVERIES)).body.data).toEqual([]);
      for (const id of [ended, waiting]) {
        expect((await key.get(`${DELIVERIES}/${id}`)).status).toBe(404);
        expect((await key.post(`${DELIVERIES}/${id}/retry`)).status).toBe(404);
      }
      const bulk = { status: 'dead', since: '2026-01-01' };
      expect((await key.post(`${ENDPOINTS}/${endpointId}/deliveries/retry`, bulk)).status).toBe(404);
      expect(await retries(organization)).toEqual([]);
    });
  });

  describe('a bulk retry', () => {
    const SINCE = '2026-01-01T00:00:00.000Z';

    it('queues those of one endpoint that stand so and were made then, and says how many', async () => {
      const world = await begin();
      const { organization, key, endpointId } = world;
      const dead = [await deliverTo(world), await deliverTo(world)];
      const [succeeded, queued] = [await deliverTo(world), await deliverTo(world)];
      const other = await newEndpoint(key);
      const elsewhere = await deliverTo({ ...world, endpointId: other });
      const end = (ids: string[], status: string) =>
        management.database.prisma.webhookDelivery.updateMany({
          where: { id: { in: ids } },
          data: { status, nextAttemptAt: null, attemptCount: 6 },
        });
      await end([...dead, elsewhere], 'dead');
      await end([succeeded], 'succeeded');

      const path = `${ENDPOINTS}/${endpointId}/deliveries/retry`;
      const over = { status: 'dead', since: SINCE, until: '2026-01-02' };
      expect(await key.post(path, over)).toMatchObject({ status: 200, body: { count: 0 } });
      expect(await key.post(path, { status: 'dead', since: SINCE })).toMatchObject({ body: { count: 2 } });
      expect(await key.post(path, { status: 'dead', since: SINCE })).toMatchObject({ body: { count: 0 } });

      const standing = async (id: string) => {
        const { status, round, attempt_count: count } = (await key.get(`${DELIVERIES}/${id}`)).body;
        return [status, round, count];
      };
      for (const id of dead) expect(await standing(id)).toEqual(['queued', 2, 0]);
      expect(await standing(succeeded)).toEqual(['succeeded', 1, 6]);
      expect(await standing(queued)).toEqual(['queued', 1, 0]);
      expect(await standing(elsewhere)).toEqual(['dead', 1, 6]);
      expect(await retries(organization)).toEqual([
        {
          action: 'webhook_endpoint.retry_deliveries',
          targetId: endpointId,
          changes: { status: { to: 'dead' }, since: { to: SINCE }, until: { to: null }, count: { to: 2 } },
        },
      ]);
      const sent: string[] = [];
      for (let at = 0; at < 3; at++) sent.push((await attempts.attempt(endpointId, 204)).id);
      expect(sent.sort()).toEqual([...dead, queued].sort());
    });

    it.each([
      [{}, 'status'],
      [{ status: 'dead' }, 'since'],
      [{ status: 'queued', since: SINCE }, 'status'],
      [{ status: 'dead', since: 'yesterday' }, 'since'],
      [{ status: 'dead', since: SINCE, until: 7 }, 'until'],
      [{ status: 'dead', since: SINCE, event_type: 'webhook.test' }, 'event_type'],
    ])('refuses %j, naming the field', async (body, param) => {
      const { key, endpointId } = await begin();
      expect(await key.post(`${ENDPOINTS}/${endpointId}/deliveries/retry`, body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
    });
  });
});
