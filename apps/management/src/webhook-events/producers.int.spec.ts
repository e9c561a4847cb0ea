import { eventCatalogue, type EventType } from '@svc/events';
import { parseCatalog } from '@svc/catalog';
import { canonicalJson, isId, type JsonValue } from '@svc/kernel';
import { type Json } from '@svc/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const PROVIDER_SECRETS = ['sk-acme-0123456789-abcd', 'sk-acme-9876543210-wxyz'] as const;
const catalog = parseCatalog(
  JSON.stringify({
    providers: [{ name: 'acme', protocol: 'openai', base_url: 'http://127.0.0.1:9' }],
    models: [],
    endpoints: [],
  }),
  { file: 'catalog.yaml', env: {} },
);

/** The state before the operation. */
interface World {
  readonly organization: Organization;
  readonly key: Client;
  readonly operator: Client;
  readonly apiKeyId: string;
  readonly credentialId: string;
  readonly endpointId: string;
}

/** An operation, with the event that it must record, and the id that the event is about. */
type Operation = readonly [
  EventType,
  (world: World) => Promise<Json>,
  field: string,
  (world: World, body: Json) => string,
];

const CREDENTIALS = '/api/v1/provider-credentials';
const ENDPOINTS = '/api/v1/webhook-endpoints';

const credentialAct =
  (action: string, body?: object) =>
  async ({ key, credentialId }: World) =>
    key.post(`${CREDENTIALS}/${credentialId}/${action}`, body);

const operations: readonly Operation[] = [
  [
    'api_key.created',
    ({ key }) => key.post('/api/v1/keys', { name: 'Production', scopes: ['inference:invoke'] }),
    'api_key_id',
    (_, body) => body.api_key.id,
  ],
  [
    'api_key.revoked',
    ({ key, apiKeyId }) => key.delete(`/api/v1/keys/${apiKeyId}`),
    'api_key_id',
    ({ apiKeyId }) => apiKeyId,
  ],
  [
    'credential.created',
    ({ key }) => key.post(CREDENTIALS, { provider: 'acme', label: 'Other', secret: PROVIDER_SECRETS[0] }),
    'credential_id',
    (_, body) => body.id,
  ],
  [
    'credential.rotated',
    credentialAct('rotate', { secret: PROVIDER_SECRETS[1] }),
    'credential_id',
    ({ credentialId }) => credentialId,
  ],
  ['credential.disabled', credentialAct('disable'), 'credential_id', ({ credentialId }) => credentialId],
  [
    'credential.enabled',
    async (world) => {
      await credentialAct('disable')(world);
      return credentialAct('enable')(world);
    },
    'credential_id',
    ({ credentialId }) => credentialId,
  ],
  ['credential.revoked', credentialAct('revoke'), 'credential_id', ({ credentialId }) => credentialId],
  [
    'credential.compromised',
    credentialAct('compromised'),
    'credential_id',
    ({ credentialId }) => credentialId,
  ],
  [
    'policy.updated',
    ({ key }) => key.put('/api/v1/policy', { sort: 'latency' }),
    'policy_id',
    (_, body) => body.id,
  ],
  [
    'wallet.credit_granted',
    ({ operator, organization }) =>
      operator.post(`/platform/v1/organizations/${organization.id}/credit-grants`, {
        amount_nanos: 5_000_000_000,
        reason: 'Welcome',
      }),
    'credit_grant_id',
    (_, body) => body.id,
  ],
  [
    'webhook.endpoint_created',
    ({ key }) => key.post(ENDPOINTS, { url: 'https://hooks.example.com/other' }),
    'endpoint_id',
    (_, body) => body.endpoint.id,
  ],
  [
    'webhook.endpoint_updated',
    ({ key, endpointId }) => key.patch(`${ENDPOINTS}/${endpointId}`, { enabled: false }),
    'endpoint_id',
    ({ endpointId }) => endpointId,
  ],
  [
    'webhook.secret_rotated',
    ({ key, endpointId }) => key.post(`${ENDPOINTS}/${endpointId}/rotate-secret`),
    'endpoint_id',
    ({ endpointId }) => endpointId,
  ],
  [
    'webhook.endpoint_deleted',
    ({ key, endpointId }) => key.delete(`${ENDPOINTS}/${endpointId}`),
    'endpoint_id',
    ({ endpointId }) => endpointId,
  ],
];

describe('an operation that customers are told of', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement({ catalog: () => catalog });
  });
  afterAll(() => management.close());

  /** Collects the secrets that no event may contain. */
  const begin = async (): Promise<{ world: World; secrets: Set<string> }> => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const made = await key.post('/api/v1/keys', { name: 'Old', scopes: ['inference:invoke'] });
    const stored = await key.post(CREDENTIALS, {
      provider: 'acme',
      label: 'Main',
      secret: PROVIDER_SECRETS[0],
    });
    const endpoint = await key.post(ENDPOINTS, { url: 'https://hooks.example.com/svc' });
    const world = {
      organization,
      key,
      operator: management.client({ authorization: `Bearer ${management.platformToken}` }),
      apiKeyId: made.body.api_key.id as string,
      credentialId: stored.body.id as string,
      endpointId: endpoint.body.endpoint.id as string,
    };
    const secrets = new Set<string>([...PROVIDER_SECRETS, made.body.key, endpoint.body.signing_secret]);
    return { world, secrets };
  };
  const eventsOf = (organizationId: string) =>
    management.database.prisma.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });

  it.each(operations)(
    'leaves %s in the outbox, in bytes that its schema accepts and that hold no secret',
    async (type, operate, field, subject) => {
      const { world, secrets } = await begin();
      const { id: organizationId } = world.organization;
      const earlier = new Set((await eventsOf(organizationId)).map(({ id }) => id));
      const { status, body } = await operate(world);

      expect([200, 201, 204]).toContain(status);
      const told = (await eventsOf(organizationId)).filter((event) => !earlier.has(event.id));
      const event = told.at(-1)!;
      expect(event).toMatchObject({ type, publishedAt: null });
      expect(told.filter((one) => one.type === type)).toHaveLength(1);
      const envelope = JSON.parse(event.payload) as { data: Record<string, JsonValue> } & Record<
        string,
        JsonValue
      >;
      expect(event.payload).toBe(canonicalJson(envelope));
      expect(envelope).toEqual({
        id: event.id,
        type,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        api_version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
        organization_id: organizationId,
        data: expect.any(Object) as object,
      });
      expect(isId('event', event.id)).toBe(true);
      expect(eventCatalogue[type].problemsOf(envelope.data)).toEqual([]);
      expect(envelope.data[field]).toBe(subject(world, body));
      for (const shown of [body?.key, body?.signing_secret])
        if (typeof shown === 'string') secrets.add(shown);
      for (const secret of secrets) expect(event.payload).not.toContain(secret.slice(12));
    },
  );

  it('leaves nothing where it is refused', async () => {
    const { world } = await begin();
    const { key, organization, endpointId, credentialId } = world;
    const before = await eventsOf(organization.id);
    const refusals = await Promise.all([
      key.post('/api/v1/keys', { name: 'No', scopes: ['everything'] }),
      key.post(CREDENTIALS, { provider: 'nobody', label: 'No', secret: PROVIDER_SECRETS[0] }),
      key.put('/api/v1/policy', { sort: 'beauty' }),
      key.post(ENDPOINTS, { url: 'https://10.0.0.1/' }),
      key.patch(`${ENDPOINTS}/${endpointId}`, { enabled: false, url: 'https://10.0.0.1/' }),
      key.post(`${CREDENTIALS}/${credentialId}/rotate`, {}),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(Array(6).fill(400));
    expect(await eventsOf(organization.id)).toEqual(before);
  });
});
