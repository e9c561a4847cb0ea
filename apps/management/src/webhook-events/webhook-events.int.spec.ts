import { z } from 'zod';
import { eventTypes } from '@svc/events';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';

const EVENTS = '/api/v1/webhook-events';

interface ListedEvent {
  readonly type: string;
  readonly description: string;
  readonly data_schema: Parameters<typeof z.fromJSONSchema>[0];
  readonly example: Record<string, unknown>;
}

describe('the event catalog', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  it('is whole at both path forms, each event with an example that its schema accepts', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { status, body } = await key.get(EVENTS);

    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    const events = body.data as ListedEvent[];
    expect(events.map(({ type }) => type)).toEqual(eventTypes);
    for (const { type, description, data_schema: schema, example } of events) {
      expect(description).not.toBe('');
      expect(Object.keys(example)).toEqual([
        'api_version',
        'created_at',
        'data',
        'id',
        'organization_id',
        'type',
      ]);
      expect(example).toMatchObject({ type, organization_id: organization.id });
      expect([type, z.fromJSONSchema(schema).safeParse(example['data']).error]).toEqual([type, undefined]);
      expect([type, z.fromJSONSchema(schema).safeParse({}).success]).toEqual([type, false]);
    }
    expect((await key.get(`/api/v1/organizations/${organization.id}/webhook-events`)).body).toEqual(body);
  });

  it('names only what an endpoint can subscribe to', async () => {
    const key = await management.withKey(await management.newOrganization());
    const listed = (await key.get(EVENTS)).body.data as ListedEvent[];
    const types = listed.map(({ type }) => type);
    const { status } = await key.post('/api/v1/webhook-endpoints', {
      url: 'https://hooks.example.com/',
      event_types: types,
    });
    expect(status).toBe(201);
  });

  it('is closed to who lacks webhook:write, and takes no page', async () => {
    const organization = await management.newOrganization();
    const viewer = await management.withSession(organization, 'viewer');
    expect((await viewer.get(EVENTS)).status).toBe(403);
    const key = await management.withKey(organization);
    expect((await key.get(`${EVENTS}?limit=2`)).body.error.param).toBe('limit');
  });
});
