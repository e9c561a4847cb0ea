import { unusedId } from '@svc/testing';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';
import { AttemptsOfSpec } from './testing/attempts-of-spec';
import {
  deliver,
  DELIVERIES,
  ENDPOINTS,
  newEndpoint,
  newToldOrganization,
  type ToldOrganization,
} from './testing/told-organization';

describe('webhook deliveries', () => {
  let management: ManagementUnderTest;
  let attempts: AttemptsOfSpec;

  beforeAll(async () => {
    management = await startManagement();
    attempts = new AttemptsOfSpec(management.database);
  });
  afterAll(() => management.close());

  const begin = () => newToldOrganization(management);
  const deliverTo = (told: ToldOrganization) => deliver(attempts, told);

  it('are read with every attempt and the body, alike on every path', async () => {
    const world = await begin();
    const { organization, key, endpointId } = world;
    const id = await deliverTo(world);
    await attempts.attempt(endpointId, 503);
    await attempts.passDelay(id);
    await attempts.attempt(endpointId, 204);

    const scoped = `/api/v1/organizations/${organization.id}/webhooks`;
    const { status, body } = await key.get(`${DELIVERIES}/${id}`);
    expect(status).toBe(200);
    const answered = {
      duration_ms: 12,
      error: null,
      response_excerpt: 'an answer',
      at: expect.any(String) as string,
    };
    expect(body).toEqual({
      id,
      organization_id: organization.id,
      endpoint_id: endpointId,
      event_id: body.payload.id,
      event_type: 'policy.updated',
      status: 'succeeded',
      round: 1,
      attempt_count: 2,
      next_attempt_at: null,
      attempts_log: [
        { round: 1, attempt: 1, status_code: 503, ...answered },
        { round: 1, attempt: 2, status_code: 204, ...answered },
      ],
      payload: expect.objectContaining({
        type: 'policy.updated',
        organization_id: organization.id,
        data: {
          policy_id: expect.stringMatching(/^pol_/) as string,
          version: 7,
          level: 'organization',
          project_id: null,
          api_key_id: null,
        },
      }) as object,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    for (const path of [
      `${scoped}/deliveries`,
      `${ENDPOINTS}/${endpointId}/deliveries`,
      `${scoped}/${endpointId}/deliveries`,
    ]) {
      expect((await key.get(`${path}/${id}`)).body).toEqual(body);
      expect((await key.get(path)).body).toEqual({ data: [body], has_more: false, next_cursor: null });
    }
  });

  it('are listed newest first, page by page, by endpoint, status, event and time', async () => {
    const world = await begin();
    const { organization, key, endpointId } = world;
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.unshift(await deliverTo(world));
    const otherEndpointId = await newEndpoint(key);
    const test = (await key.post(`${ENDPOINTS}/${otherEndpointId}/test`)).body;
    await attempts.begin(otherEndpointId);
    await management.database.prisma.webhookDelivery.update({
      where: { id: ids[2]! },
      data: { status: 'dead', nextAttemptAt: null, leaseId: null, leaseUntil: null },
    });

    const idsAt = async (path: string) => {
      const { data, ...rest } = (await key.get(path)).body;
      return { ids: data.map(({ id }: { id: string }) => id), ...rest };
    };
    const ofEndpoint = `${ENDPOINTS}/${endpointId}/deliveries`;
    const first = await idsAt(`${ofEndpoint}?limit=2`);
    await deliverTo({ organization, key, endpointId });
    const second = await idsAt(`${ofEndpoint}?limit=2&cursor=${first.next_cursor}`);
    expect([first.ids, second.ids]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect([first.has_more, second.has_more]).toEqual([true, false]);

    expect((await idsAt(`${DELIVERIES}?endpoint_id=${otherEndpointId}`)).ids).toEqual([test.id]);
    expect((await idsAt(`${DELIVERIES}?event_type=webhook.test`)).ids).toEqual([test.id]);
    expect((await idsAt(`${DELIVERIES}?status=dead`)).ids).toEqual([ids[2]]);
    expect((await idsAt(`${ofEndpoint}?status=dead&event_type=webhook.test`)).ids).toEqual([]);
    const { created_at: createdAt } = (await key.get(`${DELIVERIES}/${ids[1]!}`)).body;
    const before = (await idsAt(`${ofEndpoint}?created_before=${createdAt}`)).ids;
    const after = (await idsAt(`${ofEndpoint}?created_after=${createdAt}`)).ids;
    expect(before).not.toContain(ids[1]);
    expect(after).toContain(ids[1]);
    expect([...after, ...before]).toHaveLength(4);
  });

  it('of one event are found by its id, in the organization alone', async () => {
    const world = await begin();
    const { organization, key, endpointId } = world;
    await deliverTo(world);
    const other = await newEndpoint(key);
    const eventId = await attempts.deliver(organization.id, endpointId, other);
    await deliverTo(world);
    const found = async (client: typeof key, query: string) =>
      (await client.get(`${DELIVERIES}?${query}`)).body.data.map(
        (delivery: { endpoint_id: string; event_id: string }) => [delivery.endpoint_id, delivery.event_id],
      );
    const byEvent = await found(key, `event_id=${eventId}`);
    expect(byEvent.sort()).toEqual([endpointId, other].sort().map((id) => [id, eventId]));
    expect(await found(key, `event_id=${eventId}&endpoint_id=${other}`)).toEqual([[other, eventId]]);
    const theirs = await begin();
    expect(await found(theirs.key, `event_id=${eventId}`)).toEqual([]);
  });

  it('are listed without body and attempts where a summary is asked for', async () => {
    const world = await begin();
    const { key, endpointId } = world;
    await deliverTo(world);
    await attempts.attempt(endpointId, 503);
    for (const path of [DELIVERIES, `${ENDPOINTS}/${endpointId}/deliveries`]) {
      const [whole] = (await key.get(path)).body.data;
      const { payload: _payload, attempts_log: _attempts, ...summary } = whole;
      expect((await key.get(`${path}?view=summary`)).body.data).toEqual([summary]);
      expect((await key.get(`${path}?view=full`)).body.data).toEqual([whole]);
    }
  });

  it.each([
    'status=lost',
    'view=half',
    'event_id=7',
    'created_after=yesterday',
    'endpoint_id=7',
    'colour=red',
    'cursor=x',
    'limit=0',
  ])('refuse the filter %s', async (filter) => {
    const { key } = await begin();
    expect(await key.get(`${DELIVERIES}?${filter}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: filter.split('=')[0] } },
    });
  });

  it('44: are not reached by a cursor that was made up or is another organization’s', async () => {
    const theirs = await begin();
    const their = [await deliverTo(theirs), await deliverTo(theirs)];
    const world = await begin();
    const own = await deliverTo(world);
    const { key } = world;
    await deliverTo(theirs);
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
    const listed = (cursor: string) => key.get(`${DELIVERIES}?cursor=${cursor}`);
    const { next_cursor: foreign } = (await theirs.key.get(`${DELIVERIES}?limit=1`)).body;
    for (const cursor of [foreign, cursorOf(their[0]!), cursorOf(their[1]!)]) {
      const { status, body } = await listed(cursor);
      expect(status).toBe(200);
      expect([[], [own]]).toContainEqual(body.data.map(({ id }: { id: string }) => id));
    }
    for (const text of [`${own}' OR true --`, own.slice(0, -1), world.endpointId, '{}', '']) {
      const { status, body } = await listed(cursorOf(text) || '=');
      expect([status, body.error?.param]).toEqual([400, 'cursor']);
    }
  });

  it('44: of another organization or endpoint are not found, as ones that never were', async () => {
    const theirs = await begin();
    const id = await deliverTo(theirs);
    const { organization, key, endpointId } = await begin();
    const unknown = unusedId(id);
    const bulk = { status: 'dead', since: '2026-01-01' };
    const answers = [
      ...[id, unknown, theirs.endpointId].flatMap((one) => [
        key.get(`${DELIVERIES}/${one}`),
        key.post(`${DELIVERIES}/${one}/retry`),
        key.get(`${ENDPOINTS}/${endpointId}/deliveries/${one}`),
        key.post(`${ENDPOINTS}/${endpointId}/deliveries/${one}/retry`),
      ]),
      key.get(`${ENDPOINTS}/${theirs.endpointId}/deliveries`),
      key.post(`${ENDPOINTS}/${theirs.endpointId}/deliveries/retry`, bulk),
    ];
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.error.message]).toEqual([404, 'There is no such resource.']);
    expect((await key.get(`${DELIVERIES}?endpoint_id=${theirs.endpointId}`)).body.data).toEqual([]);

    const own = await deliverTo({ organization, key, endpointId });
    const other = await newEndpoint(key);
    expect((await key.get(`${ENDPOINTS}/${other}/deliveries/${own}`)).status).toBe(404);
    expect((await key.post(`${ENDPOINTS}/${other}/deliveries/${own}/retry`)).status).toBe(404);
    expect((await key.get(`${ENDPOINTS}/${endpointId}/deliveries/${own}`)).status).toBe(200);
  });

  it('are closed to who lacks webhook:write', async () => {
    const world = await begin();
    const id = await deliverTo(world);
    const viewer = await management.withSession(world.organization, 'viewer');
    for (const { body } of [
      await viewer.get(DELIVERIES),
      await viewer.get(`${DELIVERIES}/${id}`),
      await viewer.post(`${DELIVERIES}/${id}/retry`),
    ]) {
      expect(body.error.code).toBe('permission_denied');
    }
  });
});
