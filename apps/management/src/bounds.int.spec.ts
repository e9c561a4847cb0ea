import { parseCatalog } from '@svc/catalog';
import { openSettlement } from '@svc/payments/work';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { ScriptedProvider } from '@svc/payments/testing';
import { systemIds } from '@svc/runtime';
import { createMetrics } from '@svc/runtime/observability';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from './testing/management-under-test';

const MOST = 10_000;
/** An operation of the document. */
interface Described {
  readonly description?: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
const acme = { name: 'acme', protocol: 'openai', base_url: 'http://127.0.0.1:9' };
const catalog = parseCatalog(JSON.stringify({ providers: [acme], models: [], endpoints: [] }), {
  file: 'catalog.yaml',
  env: {},
});

describe('what an organization can have', () => {
  let test: TestDatabase;
  let management: ManagementUnderTest;
  let organization: Organization;
  let owner: Client;
  beforeAll(async () => {
    test = await openTestDatabase();
    const { database } = test;
    const provider = new ScriptedProvider();
    const baseUrl = 'https://svc.example';
    const metrics = createMetrics('management');
    const settlement = openSettlement({ database, provider, baseUrl, reconcileSeconds: 600, metrics });
    management = await startManagement({
      database,
      catalog: () => catalog,
      payments: { provider, settlement },
    });
  });
  afterAll(async () => {
    await management.close();
    await test.close();
  });
  beforeEach(async () => {
    organization = await management.newOrganization();
    owner = await management.withSession(organization, 'owner');
  });

  const rows = <T>(count: number, row: () => T): T[] => Array.from({ length: count }, row);
  const many = (make: () => Promise<Answered>) => Promise.all(Array.from({ length: 20 }, make));
  const codesOf = (answers: readonly Answered[]) =>
    answers
      .map(({ status, body }) => (status === 201 ? '201' : `${String(status)} ${body.error.code}`))
      .sort();
  const onlyOne = ['201', ...rows(19, () => '409 conflict')];

  const budget = () => ({
    id: systemIds('budget'),
    organizationId: organization.id,
    name: 'B',
    scope: 'organization',
    scopeId: organization.id,
    period: 'month',
    amountNanos: 1n,
    action: 'warn',
    warnAtBps: 8_000,
  });
  const newBudget = { name: 'B', scope: 'organization', period: 'month', amount_nanos: 1, action: 'warn' };

  it('are 10,000 budgets, also of many made at once; a deleted one makes room', async () => {
    await test.database.prisma.budget.createMany({ data: rows(MOST - 1, budget) });
    const answers = await many(() => owner.post('/api/v1/budgets', newBudget));
    expect(codesOf(answers)).toEqual(onlyOne);
    const { id } = answers.find(({ status }) => status === 201)!.body as { id: string };
    expect((await owner.delete(`/api/v1/budgets/${id}`)).status).toBe(204);
    expect((await owner.post('/api/v1/budgets', newBudget)).status).toBe(201);
  });

  it('are 10,000 live keys: revoked and expired ones do not count', async () => {
    const key = (more: object) => () => ({
      id: systemIds('apiKey'),
      organizationId: organization.id,
      name: 'K',
      prefix: 'svc_sk_',
      secretSha256: Uint8Array.from(crypto.getRandomValues(new Uint8Array(32))),
      scopes: [],
      ...more,
    });
    const data = [
      ...rows(MOST - 1, key({})),
      ...rows(5, key({ expiresAt: new Date(0) })),
      ...rows(5, key({ state: 'revoked', revokedAt: new Date() })),
    ];
    await test.database.prisma.apiKey.createMany({ data });
    const body = { name: 'K', scopes: ['key:read'] };
    expect(codesOf(await many(() => owner.post('/api/v1/keys', body)))).toEqual(onlyOne);
  });

  it('are 10,000 active projects: archiving makes room, and restoring needs it', async () => {
    const { prisma } = test.database;
    const project = () => ({ id: systemIds('project'), organizationId: organization.id, name: 'P' });
    await prisma.project.createMany({ data: rows(MOST - 2, project) });
    expect(codesOf(await many(() => owner.post('/api/v1/projects', { name: 'P' })))).toEqual(onlyOne);
    const path = `/api/v1/projects/${organization.projectId}`;
    expect((await owner.patch(path, { name: 'Renamed', state: 'active' })).status).toBe(200);
    expect((await owner.patch(path, { state: 'archived' })).status).toBe(200);
    expect((await owner.post('/api/v1/projects', { name: 'P' })).status).toBe(201);
    expect((await owner.patch(path, { name: 'Archived still' })).status).toBe(200);
    expect((await owner.patch(path, { state: 'active' })).body.error.code).toBe('conflict');
  });

  it('are 1,000 provider credentials in use or disabled: revoked ones do not count', async () => {
    const credential = (state: 'disabled' | 'revoked') => () => ({
      id: systemIds('providerCredential'),
      organizationId: organization.id,
      provider: 'acme',
      label: 'L',
      secretCiphertext: Uint8Array.of(1),
      last4: '6789',
      state,
    });
    const data = [...rows(999, credential('disabled')), ...rows(5, credential('revoked'))];
    await test.database.prisma.providerCredential.createMany({ data });
    const body = { provider: 'acme', label: 'L', secret: 'sk-acme-0123456789' };
    const answers = await many(() => owner.post('/api/v1/provider-credentials', body));
    expect(codesOf(answers)).toEqual(onlyOne);
    const { id } = answers.find(({ status }) => status === 201)!.body as { id: string };
    expect((await owner.post(`/api/v1/provider-credentials/${id}/revoke`)).status).toBe(200);
    expect((await owner.post('/api/v1/provider-credentials', body)).status).toBe(201);
  });

  it('are 100 top-ups that can still be paid', async () => {
    const top = { amount_nanos: 5_000_000_000 };
    const first = await owner.post('/api/v1/wallet/top-ups', top);
    const payment = await test.database.prisma.payment.findUniqueOrThrow({
      where: { id: first.body.payment.id as string },
    });
    const copies = rows(98, () => ({ ...payment, id: systemIds('payment') }));
    await test.database.prisma.payment.createMany({ data: copies });
    expect(codesOf(await many(() => owner.post('/api/v1/wallet/top-ups', top)))).toEqual(onlyOne);
    await test.database.prisma.payment.updateMany({
      where: { organizationId: organization.id },
      data: { state: 'expired' },
    });
    expect((await owner.post('/api/v1/wallet/top-ups', top)).status).toBe(201);
  });

  it('has a bound for whatever is created, or a reason for none', async () => {
    const reasons: Readonly<Record<string, string>> = {
      '/api/v1/fine-tuning/endpoints': 'one for each model, and each model was paid for',
    };
    const { paths } = (await owner.get('/api/v1/openapi.json')).body;
    const unbounded = Object.entries(paths as Readonly<Record<string, { post?: Described }>>)
      .filter(([path]) => path.startsWith('/api/v1/') && !path.includes('{'))
      .filter(([path, { post }]) => post?.responses['201'] !== undefined && !Object.hasOwn(reasons, path))
      .filter(([, { post }]) => !/\b(at most|can have|can wait|Three jobs)\b/.test(post?.description ?? ''));
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  it('is said in the document', async () => {
    const { paths } = (await owner.get('/api/v1/openapi.json')).body;
    for (const [path, bound] of [
      ['/api/v1/budgets', '10000 budgets'],
      ['/api/v1/keys', '10000 keys'],
      ['/api/v1/projects', '10000 active projects'],
      ['/api/v1/wallet/top-ups', '100 top-ups'],
      ['/api/v1/provider-credentials', '1000 credentials'],
    ]) {
      expect(paths[path!].post.description).toContain(bound);
      expect(Object.keys(paths[path!].post.responses)).toEqual(expect.arrayContaining(['409', '429']));
    }
  });
});

describe('management calls', () => {
  it('beyond those of a minute are 429 with Retry-After, of each caller for itself', async () => {
    const test = await openTestDatabase();
    const management = await startManagement({ database: test.database }, { managementCallsPerMinute: 30 });
    const organization = await management.newOrganization();
    const [one, other] = [await management.withKey(organization), await management.withKey(organization)];
    const person = await management.withSession(organization, 'owner');
    const answers = await Promise.all(Array.from({ length: 40 }, () => one.get('/api/v1/projects')));

    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(8);
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused[0]!.body.error).toMatchObject({ code: 'rate_limit', retriable: true });
    for (const caller of [other, person]) expect((await caller.get('/api/v1/projects')).status).toBe(200);
    await management.close();
    await test.close();
  });
});
