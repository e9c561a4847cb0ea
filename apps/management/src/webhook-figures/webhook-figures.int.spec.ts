import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';
import { AttemptsOfSpec } from '../webhook-deliveries/testing/attempts-of-spec';
import {
  deliver,
  ENDPOINTS,
  newEndpoint,
  newToldOrganization,
} from '../webhook-deliveries/testing/told-organization';

const FIGURES = `${ENDPOINTS}/figures`;
const DAY_MS = 86_400_000;

describe('the figures of webhook endpoints', () => {
  let management: ManagementUnderTest;
  let attempts: AttemptsOfSpec;
  let now = Date.now();

  beforeAll(async () => {
    management = await startManagement({ clock: { now: () => now } });
    attempts = new AttemptsOfSpec(management.database);
  });
  afterEach(() => {
    now = Date.now();
  });
  afterAll(() => management.close());

  it('count what was sent to each, what waits, and how long attempts took', async () => {
    const world = await newToldOrganization(management);
    const { organization, key, endpointId } = world;
    const idle = await newEndpoint(key);
    const other = await newToldOrganization(management);
    await deliver(attempts, other);
    await deliver(attempts, world);
    await attempts.attempt(endpointId, 204);
    await deliver(attempts, world);
    await attempts.attempt(endpointId, 503);
    await attempts.deliver(organization.id, endpointId);

    const { status, body } = await key.get(FIGURES);
    expect(status).toBe(200);
    const none = {
      created_count: 0,
      succeeded_count: 0,
      dead_count: 0,
      waiting_count: 0,
      p95_duration_ms: null,
    };
    expect(body.data).toEqual([
      { endpoint_id: idle, ...none },
      {
        endpoint_id: endpointId,
        created_count: 3,
        succeeded_count: 1,
        dead_count: 0,
        waiting_count: 2,
        p95_duration_ms: 12,
      },
    ]);
    expect((await key.get(`/api/v1/organizations/${organization.id}/webhooks/figures`)).body).toEqual(body);
  });

  it('leave out what is older than 24 hours, but for what still waits', async () => {
    const world = await newToldOrganization(management);
    await deliver(attempts, world);
    await attempts.attempt(world.endpointId, 204);
    await deliver(attempts, world);
    now = Date.now() + DAY_MS;
    expect((await world.key.get(FIGURES)).body.data).toEqual([
      expect.objectContaining({
        created_count: 0,
        succeeded_count: 0,
        waiting_count: 1,
        p95_duration_ms: null,
      }),
    ]);
  });

  it('are closed to who lacks webhook:write, and leave out deleted endpoints', async () => {
    const { organization, key, endpointId } = await newToldOrganization(management);
    const viewer = await management.withSession(organization, 'viewer');
    expect((await viewer.get(FIGURES)).body.error.code).toBe('permission_denied');
    await key.delete(`${ENDPOINTS}/${endpointId}`);
    expect((await key.get(FIGURES)).body.data).toEqual([]);
  });
});
