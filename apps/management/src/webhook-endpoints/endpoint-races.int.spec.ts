import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';
import { AttemptsOfSpec } from '../webhook-deliveries/testing/attempts-of-spec';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const RACES = 10;

describe('a change of a webhook endpoint at the moment an attempt ends', () => {
  let management: ManagementUnderTest;
  let attempts: AttemptsOfSpec;

  beforeAll(async () => {
    management = await startManagement();
    attempts = new AttemptsOfSpec(management.database);
  });
  afterAll(() => management.close());

  /** An endpoint one failure short of being disabled, and the attempt that is about to fail. */
  const begin = async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { endpoint } = (await key.post(ENDPOINTS, { url: 'https://hooks.example.com/' })).body;
    await management.database.prisma.webhookEndpoint.update({
      where: { id: endpoint.id },
      data: { state: 'failing', consecutiveFailures: 24 },
    });
    await attempts.deliver(organization.id, endpoint.id);
    const [inFlight] = await attempts.begin(endpoint.id);
    const path = `${ENDPOINTS}/${endpoint.id as string}`;
    return { organization, key, path, fail: () => attempts.end(inFlight!, 500) };
  };
  const race = async (key: Client, path: string, body: object, fail: () => Promise<unknown>) => {
    const [answer] = await Promise.all([key.patch(path, body), fail()]);
    expect(answer.status).toBe(200);
    return (await key.get(path)).body;
  };
  const disablings = ({ id }: { readonly id: string }) =>
    management.database.prisma.outboxEvent.count({
      where: { organizationId: id, type: 'webhook.endpoint_disabled' },
    });

  it('29: arms it again where that attempt had disabled it, else leaves it as it was: it is disabled once', async () => {
    for (let at = 0; at < RACES; at++) {
      const { organization, key, path, fail } = await begin();
      const after = await race(key, path, { enabled: true }, fail);
      expect(after).toMatchObject(
        after.enabled === true
          ? { state: 'active', consecutive_failures: 0, disabled_reason: null }
          : { state: 'disabled', consecutive_failures: 25, disabled_reason: 'consecutive_failures' },
      );
      expect(await disablings(organization)).toBe(1);
    }
  });

  it('29: pauses it: it is paused, and not disabled', async () => {
    for (let at = 0; at < RACES; at++) {
      const { key, path, fail } = await begin();
      expect(await race(key, path, { enabled: false }, fail)).toMatchObject({
        state: 'paused',
        enabled: false,
        disabled_reason: null,
        consecutive_failures: 25,
      });
    }
  });

  it('says something else of it: both are there', async () => {
    for (let at = 0; at < RACES; at++) {
      const { organization, key, path, fail } = await begin();
      expect(await race(key, path, { description: 'Billing' }, fail)).toMatchObject({
        description: 'Billing',
        state: 'disabled',
        disabled_reason: 'consecutive_failures',
        consecutive_failures: 25,
      });
      expect(await disablings(organization)).toBe(1);
    }
  });

  it('meets another change: both are there, each with its entry', async () => {
    const { organization, key, path } = await begin();
    await Promise.all([
      key.patch(path, { description: 'Billing' }),
      key.patch(path, { event_types: ['budget.*'] }),
    ]);
    expect((await key.get(path)).body).toMatchObject({ description: 'Billing', event_types: ['budget.*'] });
    const where = { organizationId: organization.id, action: 'webhook_endpoint.update' };
    const entries = await management.database.prisma.auditEntry.findMany({ where });
    expect(
      entries
        .map(({ changes }) => Object.keys(changes as object))
        .flat()
        .sort(),
    ).toEqual(['description', 'event_types']);
  });
});
