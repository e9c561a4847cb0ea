import { parseCatalog } from '@svc/catalog';
import { openSettlement } from '@svc/payments/work';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { ScriptedProvider } from '@svc/payments/testing';
import { createMetrics } from '@svc/runtime/observability';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from './testing/management-under-test';

const MOST = 10_000;
/** In SQL. */
const ID = 'gen_random_uuid()';
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

  const many = (make: () => Promise<Answered>) => Promise.all(Array.from({ length: 20 }, make));
  const codesOf = (answers: readonly Answered[]) =>
    answers
      .map(({ status, body }) => (status === 201 ? '201' : `${String(status)} ${body.error.code}`))
      .sort();
  const onlyOne = ['201', ...Array<string>(19).fill('409 conflict')];

  /** @param fields columns of the copies that differ from the row: names, each before its value in SQL. */
  const addCopies = (table: string, id: string, count: number, fields: readonly string[] = []) =>
    test.database.background.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(original, jsonb_build_object(${["'id'", ID, ...fields].join()}))).*
       FROM ${table} AS original, generate_series(1, $2) WHERE original.id = $1`,
      [id, count],
    );
  const newBudget = { name: 'B', scope: 'organization', period: 'month', amount_nanos: 1, action: 'warn' };

  it('are 10,000 budgets, also of many made at once; a deleted one makes room', async () => {
    const first = await owner.post('/api/v1/budgets', newBudget);
    await addCopies('budgets', first.body.id as string, MOST - 2);
    const answers = await many(() => owner.post('/api/v1/budgets', newBudget));
    expect(codesOf(answers)).toEqual(onlyOne);
    const { id } = answers.find(({ status }) => status === 201)!.body as { id: string };
    expect((await owner.delete(`/api/v1/budgets/${id}`)).status).toBe(204);
    expect((await owner.post('/api/v1/budgets', newBudget)).status).toBe(201);
  });

  it('are 10,000 live keys: revoked and expired ones do not count', async () => {
    const body = { name: 'K', scopes: ['key:read'] };
    const { id } = (await owner.post('/api/v1/keys', body)).body.api_key as { id: string };
    const ownSecret = ["'secret_sha256'", `sha256(${ID}::text::bytea)`];
    await addCopies('api_keys', id, MOST - 2, ownSecret);
    await addCopies('api_keys', id, 5, [...ownSecret, "'expires_at'", 'to_timestamp(0)']);
    await addCopies('api_keys', id, 5, [...ownSecret, "'state'", "'revoked'", "'revoked_at'", 'now()']);
    expect(codesOf(await many(() => owner.post('/api/v1/keys', body)))).toEqual(onlyOne);
  });

  it('are 10,000 active projects: archiving makes room, and restoring needs it', async () => {
    await addCopies('projects', organization.projectId, MOST - 2);
    expect(codesOf(await many(() => owner.post('/api/v1/projects', { name: 'P' })))).toEqual(onlyOne);
    const path = `/api/v1/projects/${organization.projectId}`;
    expect((await owner.patch(path, { name: 'Renamed', state: 'active' })).status).toBe(200);
    expect((await owner.patch(path, { state: 'archived' })).status).toBe(200);
    expect((await owner.post('/api/v1/projects', { name: 'P' })).status).toBe(201);
    expect((await owner.patch(path, { name: 'Archived still' })).status).toBe(200);
    expect((await owner.patch(path, { state: 'active' })).body.error.code).toBe('conflict');
  });

  it('are 1,000 provider credentials in use or disabled: revoked ones do not count', async () => {
    const body = { provider: 'acme', label: 'L', secret: 'sk-acme-0123456789' };
    const first = await owner.post('/api/v1/provider-credentials', body);
    await addCopies('provider_credentials', first.body.id as string, 998, ["'state'", "'disabled'"]);
    await addCopies('provider_credentials', first.body.id as string, 5, ["'state'", "'revoked'"]);
    const answers = await many(() => owner.post('/api/v1/provider-credentials', body));
    expect(codesOf(answers)).toEqual(onlyOne);
    const { id } = answers.find(({ status }) => status === 201)!.body as { id: string };
    expect((await owner.post(`/api/v1/provider-credentials/${id}/revoke`)).status).toBe(200);
    expect((await owner.post('/api/v1/provider-credentials', body)).status).toBe(201);
  });

  it('are 100 top-ups that can still be paid', async () => {
    const top = { amount_nanos: 5_000_000_000 };
    const first = await owner.post('/api/v1/wallet/top-ups', top);
    await addCopies('payments', first.body.payment.id as string, 98);
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
