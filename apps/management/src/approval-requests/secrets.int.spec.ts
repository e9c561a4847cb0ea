import { createLogger } from '@svc/runtime/observability';
import { ApprovalUpkeep } from '@svc/approvals/store';
import { parseCatalog } from '@svc/catalog';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';
import {
  addPolicy,
  approve,
  ended,
  newGatedOrganization,
  requestAt,
  waitingIn,
  type GatedOrganization,
} from '../testing/gated-organization';

const CATALOG = `
providers: [{ name: acme, protocol: anthropic, base_url: 'http://127.0.0.1:9/v1' }]
models: []
endpoints: []
`;
const SECRET = 'sk-acme-of-a-spec-4f0c8d2e6a1b';

let management: ManagementUnderTest;
let org: GatedOrganization;
const logged: string[] = [];
beforeAll(async () => {
  const catalog = parseCatalog(CATALOG, { file: 'catalog.yaml', env: {} });
  management = await startManagement({
    catalog: () => catalog,
    logger: createLogger(
      { service: 'management', level: 'debug' },
      { write: (line: string) => void logged.push(line) },
    ),
  });
});
afterAll(() => management.close());
beforeEach(async () => {
  org = await newGatedOrganization(management);
  await addPolicy(org.ada, {
    actions: ['api_key.*', 'webhook_endpoint.*', 'provider_credential.*', 'invitation.*'],
  });
});

const claim = (client: Client, id: string) => client.post(`${requestAt(id)}/claim-secret`);

async function approved(id: string) {
  expect((await approve(org.bob, id)).status).toBe(200);
  const request = await ended(org.bob, id);
  expect(request).toMatchObject({ state: 'executed', error: null });
  return request;
}

/** Every table of the database, as text. */
async function everythingStored(): Promise<string> {
  const { rows } = await management.database.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts = rows.map(async ({ name }) => {
    const stored = await management.database.pool.query<{ row: string }>(
      `SELECT t::text AS row FROM "${name}" t`,
    );
    return stored.rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

async function expectNowhere(secret: string): Promise<void> {
  const stored = await everythingStored();
  const hex = Buffer.from(secret).toString('hex');
  for (const text of [stored, logged.join('\n')]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hex);
  }
}

describe('a secret that an approved change makes', () => {
  const key = { name: 'Approved', scopes: ['usage:read'] };

  it('is shown once, to the requester only, in the envelope of its own route', async () => {
    const id = waitingIn(await org.ada.post('/api/v1/keys', key));
    expect((await claim(org.ada, id)).status).toBe(409);
    expect((await approved(id)).result).toMatchObject({ status: 201, secret: 'available' });
    expect((await claim(org.bob, id)).status).toBe(403);
    const { status, body } = await claim(org.ada, id);
    expect([status, body]).toMatchObject([
      200,
      { api_key: { name: 'Approved' }, warning: expect.any(String) },
    ]);
    const minted = management.client({ authorization: `Bearer ${body.key as string}` });
    expect((await minted.get('/api/v1/usage?group_by=day')).status).toBe(200);
    expect((await claim(org.ada, id)).status).toBe(409);
    expect((await org.ada.get(requestAt(id))).body.result.secret).toBe('claimed');
    await expectNowhere(body.key as string);
  });

  it('is claimed once, also by a hundred calls at once', async () => {
    const id = waitingIn(await org.ada.post('/api/v1/keys', key));
    await approved(id);
    const answers = await Promise.all(Array.from({ length: 100 }, () => claim(org.ada, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200 || status === 409 || status === 503)).toHaveLength(
      100,
    );
  });

  it('is claimed by the key that asked, and not by its maker', async () => {
    const asking = await management.withKey(org.organization, ['key:create', 'usage:read']);
    await management.database.prisma.apiKey.update({
      where: { id: asking.keyId },
      data: { createdBy: org.ada.userId },
    });
    const id = waitingIn(await asking.post('/api/v1/keys', key));
    await approved(id);
    expect((await claim(org.ada, id)).status).toBe(403);
    expect((await claim(asking, id)).body.key).toMatch(/^svc_sk_/);
  });

  it('is the signing secret of an endpoint, new or rotated', async () => {
    const id = waitingIn(
      await org.ada.post('/api/v1/webhook-endpoints', { url: 'https://hooks.example.com/', event_types: [] }),
    );
    const { result } = await approved(id);
    const made = await claim(org.ada, id);
    expect(made.body.signing_secret).toMatch(/^whsec_/);
    const rotation = waitingIn(
      await org.ada.post(`/api/v1/webhook-endpoints/${result.target_id as string}/rotate-secret`),
    );
    await approved(rotation);
    const rotated = await claim(org.ada, rotation);
    expect(rotated.body.signing_secret).toMatch(/^whsec_/);
    expect(rotated.body.signing_secret).not.toBe(made.body.signing_secret);
    await expectNowhere(rotated.body.signing_secret as string);
  });

  it('is the link of an invitation', async () => {
    const id = waitingIn(
      await org.ada.post('/api/v1/members/invitations', { email: 'new@example.com', role: 'viewer' }),
    );
    await approved(id);
    const { body } = await claim(org.ada, id);
    expect(body).toMatchObject({ invitation: { email: 'new@example.com' }, mailed: false });
    await expectNowhere(new URL(body.accept_url as string).pathname.split('/').at(-1) ?? '');
  });

  it('is wiped after 72 hours, and the thing remains', async () => {
    const id = waitingIn(await org.ada.post('/api/v1/keys', key));
    const { result } = await approved(id);
    const upkeep = new ApprovalUpkeep(management.database);
    await upkeep.wipeSecrets();
    expect((await org.ada.get(requestAt(id))).body.result.secret).toBe('available');
    await management.database.pool.query(
      `UPDATE approval_requests SET executed_at = executed_at - interval '72 hours' WHERE id = $1`,
      [id],
    );
    await upkeep.wipeSecrets();
    expect((await org.ada.get(requestAt(id))).body.result.secret).toBe('expired');
    expect((await claim(org.ada, id)).status).toBe(409);
    expect((await org.ada.get(`/api/v1/keys/${result.target_id as string}`)).body.state).toBe('active');
  });
});

describe('a secret in the body of a call that waits', () => {
  const credential = { provider: 'acme', label: 'Main', secret: SECRET };

  it('is shown to nobody, and stored sealed until the request ends', async () => {
    const id = waitingIn(await org.ada.post('/api/v1/provider-credentials', credential));
    for (const client of [org.ada, org.bob]) {
      expect((await client.get(requestAt(id))).body.body).toEqual({ ...credential, secret: '[secret]' });
    }
    await expectNowhere(SECRET);
    const { result } = await approved(id);
    const stored = await management.database.prisma.providerCredential.findUniqueOrThrow({
      where: { id: result.target_id as string },
    });
    expect(stored.last4).toBe(SECRET.slice(-4));
    await expectNowhere(SECRET);
    const row = await management.database.prisma.approvalRequest.findUniqueOrThrow({ where: { id } });
    expect(row.callCiphertext).toBeNull();
  });

  it('tells calls apart: another secret is another request', async () => {
    const ask = async (secret: string) =>
      waitingIn(await org.ada.post('/api/v1/provider-credentials', { ...credential, secret }));
    const first = await ask(SECRET);
    expect(await ask(`${SECRET}2`)).not.toBe(first);
    expect(await ask(SECRET)).toBe(first);
  });
});
