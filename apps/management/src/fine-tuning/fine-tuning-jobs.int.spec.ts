import { parseCatalog } from '@svc/catalog';
import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { FineTuningJobWork, TrainingFileUpkeep } from '@svc/fine-tuning/work';
import { systemIds } from '@svc/runtime';
import { unusedId } from '@svc/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const JOBS = '/v1/fine_tuning/jobs';
const MANAGED = '/api/v1/fine-tuning/jobs';
const MODELS = '/api/v1/fine-tuning/models';
const CREDIT = 10_000_000;
const TOKENS = 1_000;
/** 1,000 tokens × 3 epochs × 1.1 × 37.5 nano-dollars. */
const HELD = 123_750;

const endpoint = { upstream_model: 'm', region: 'eu', data_retention: 'zero' };
const offer = { ...endpoint, price_per_trained_token: 37.5, max_trained_tokens: 100_000 };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [{ name: 'free', protocol: 'openai', base_url: 'http://127.0.0.1:9' }],
    models: ['acme/small', 'acme/plain'].map((id) => ({
      ...{ id, display_name: id, context_window: 100, max_output_tokens: 50 },
    })),
    endpoints: ['acme/small', 'acme/plain'].map((model) => ({
      ...{ ...endpoint, model, provider: 'free', prices: { input: 1, output: 2 } },
    })),
    fine_tuning: [
      {
        ...offer,
        model: 'acme/small',
        provider: 'free',
        inference: { input: 3, output: 4 },
        epochs: { default: 3, max: 5 },
      },
    ],
  }),
  { file: 'catalog.yaml', env: {} },
);

let management: ManagementUnderTest;
let organization: Organization;
let key: Client & { readonly keyId: string };
beforeAll(async () => {
  management = await startManagement({ catalog: () => catalog });
});
afterAll(() => management.close());
beforeEach(async () => {
  organization = await management.newOrganization();
  await new WalletStore(management.database).credit(organization.id, nanos(CREDIT), 'test');
  key = await management.withKey(organization);
});

async function newFile(
  of = organization,
  projectId: string | null = null,
  state: object = {},
): Promise<string> {
  const id = systemIds('file');
  await management.database.prisma.trainingFile.create({
    data: {
      ...{ id, organizationId: of.id, projectId, filename: 'train.jsonl', bytes: 10, tokenCount: TOKENS },
      ...{ partBytes: 10, keyCiphertext: Buffer.of(1), creatorType: 'api_key', creatorId: 'key_1' },
      ...{ state: 'processed', expiresAt: new Date(Date.now() + 60_000) },
      ...state,
    },
  });
  return id;
}
const bodyWith = async (more: object = {}) => ({
  model: 'acme/small',
  training_file: await newFile(),
  ...more,
});
async function newJob(by: Client = key, more: object = {}): Promise<string> {
  const { status, body } = await by.post(JOBS, await bodyWith(more));
  expect([status, body.error]).toEqual([200, null]);
  return body.id as string;
}
const wallet = async () => {
  const row = await management.database.prisma.wallet.findUniqueOrThrow({
    where: { organizationId: organization.id },
  });
  return { balance: Number(row.balanceNanos), held: Number(row.heldNanos) };
};
/** As a worker does. */
async function end(id: string, said: object): Promise<void> {
  const work = new FineTuningJobWork(management.database);
  for (;;) {
    const [lease] = await work.claim(1);
    if (lease === undefined) throw new Error('The job is not due.');
    if (lease.job.id !== id) continue;
    const job = {
      ...{ id: 'up', status: 'running', trainedTokens: null, fineTunedModel: null, epochs: null },
      ...{ estimatedFinishAt: null, failure: null },
      ...said,
    } as Parameters<FineTuningJobWork['bookReport']>[1]['job'];
    const verdict = { action: 'succeed', trainedTokens: 2_000n, upstreamModel: 'ft:up' } as const;
    const events = [
      { id: 'e1', createdAt: new Date(1_000), level: 'info', type: 'message', message: 'one', metrics: null },
      {
        id: 'e2',
        createdAt: new Date(2_000),
        level: 'info',
        type: 'metrics',
        message: 'two',
        metrics: { step: 1 },
      },
      {
        id: 'e3',
        createdAt: new Date(3_000),
        level: 'warn',
        type: 'message',
        message: 'three',
        metrics: null,
      },
    ] as const;
    const checkpoints = [1, 2].map((step) => ({
      ...{ id: `c${String(step)}`, createdAt: new Date(step * 1_000), stepNumber: step, metrics: { step } },
    }));
    await work.bookReport(lease, { job, events, checkpoints }, verdict, 0);
    return;
  }
}

describe('a job', () => {
  it('is made with its money held, and shown in both forms', async () => {
    const body = await bodyWith({ suffix: 'support', seed: 7, metadata: { team: 'a' } });
    const made = await key.post(JOBS, body);
    expect([made.status, made.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^ftjob_/) as string,
        object: 'fine_tuning.job',
        created_at: expect.any(Number) as number,
        error: null,
        fine_tuned_model: null,
        finished_at: null,
        estimated_finish: null,
        hyperparameters: { n_epochs: 3, batch_size: 'auto', learning_rate_multiplier: 'auto' },
        integrations: [],
        metadata: { team: 'a' },
        method: {
          type: 'supervised',
          supervised: {
            hyperparameters: { n_epochs: 3, batch_size: 'auto', learning_rate_multiplier: 'auto' },
          },
        },
        model: 'acme/small',
        organization_id: organization.id,
        result_files: [],
        seed: 7,
        status: 'validating_files',
        trained_tokens: null,
        training_file: body.training_file,
        validation_file: null,
      },
    ]);
    expect(await wallet()).toEqual({ balance: CREDIT, held: HELD });
    const id = made.body.id as string;
    expect((await key.get(`${JOBS}/${id}`)).body).toEqual(made.body);
    expect((await key.get(`${MANAGED}/${id}`)).body).toMatchObject({
      ...{
        id,
        state: 'validating_files',
        provider: 'free',
        region: 'eu',
        held_nanos: HELD,
        charged_nanos: 0,
      },
      ...{
        price_per_trained_token: 37.5,
        trained_tokens: null,
        fine_tuned_model: null,
        created_by: key.keyId,
      },
    });
    const file = await management.database.prisma.trainingFile.findUniqueOrThrow({
      where: { id: body.training_file },
    });
    expect(file.lastUsedAt).not.toBeNull();
    expect(file.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    const audited = await management.database.prisma.auditEntry.findMany({
      where: { organizationId: organization.id },
    });
    expect(audited).toMatchObject([
      {
        action: 'fine_tuning_job.create',
        targetId: id,
        targetLabel: expect.stringMatching(/^ft-[a-z]{8}\/small-support-[a-z]{6}$/) as string,
      },
    ]);
  });

  it('can be made by a user, who sees its money at once', async () => {
    const user = await management.withSession(organization, 'developer');
    const made = await user.post(MANAGED, await bodyWith({ hyperparameters: { n_epochs: 1 } }));
    expect(made).toMatchObject({ status: 201, body: { state: 'validating_files', created_by: user.userId } });
    expect(made.body.held_nanos).toBe(TOKENS * 1.1 * 37.5);
  });

  it('holds at most what the provider trains', async () => {
    const training_file = await newFile(organization, null, { tokenCount: 10_000_000 });
    const made = await key.post(MANAGED, { model: 'acme/small', training_file });
    expect(made.body.held_nanos).toBe(100_000 * 37.5);
  });

  it.each<[string, object, number, string, string | null]>([
    ['another method', { method: { type: 'dpo' } }, 400, 'unsupported_parameter', 'method.type'],
    ['integrations', { integrations: [{ type: 'wandb' }] }, 400, 'unsupported_parameter', 'integrations'],
    ['any other field', { prompt_loss_weight: 1 }, 400, 'unsupported_parameter', 'prompt_loss_weight'],
    [
      'any other hyperparameter',
      { hyperparameters: { n_epochs: 1, beta: 2 } },
      400,
      'unsupported_parameter',
      'hyperparameters.beta',
    ],
    ['a suffix of another form', { suffix: 'Ours!' }, 400, 'invalid_request', 'suffix'],
    ['a suffix that is too long', { suffix: 'a'.repeat(19) }, 400, 'invalid_request', 'suffix'],
    [
      'more epochs than the model takes',
      { hyperparameters: { n_epochs: 6 } },
      400,
      'invalid_request',
      'hyperparameters.n_epochs',
    ],
    [
      'hyperparameters twice',
      { hyperparameters: {}, method: { type: 'supervised', supervised: { hyperparameters: {} } } },
      400,
      'invalid_request',
      'hyperparameters',
    ],
    ['no file', { training_file: undefined }, 400, 'invalid_request', 'training_file'],
    ['a file that is not there', { training_file: unusedId('file') }, 404, 'not_found', 'training_file'],
    ['a file of a provider', { training_file: 'file-abc123' }, 404, 'not_found', 'training_file'],
    [
      'a validation file that is not there',
      { validation_file: unusedId('file') },
      404,
      'not_found',
      'validation_file',
    ],
    ['an unknown model', { model: 'acme/gone' }, 404, 'not_found', 'model'],
    ['a model that nobody trains', { model: 'acme/plain' }, 422, 'operation_unsupported', 'model'],
  ])('with %s is refused, and holds nothing', async (_, more, status, code, param) => {
    const body = await bodyWith(more);
    for (const path of [JOBS, MANAGED]) {
      const answer = await key.post(path, body);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
    }
    expect(await wallet()).toEqual({ balance: CREDIT, held: 0 });
  });

  it('takes `integrations: null`, as SDKs send it, for none', async () => {
    await newJob(key, {
      integrations: null,
      validation_file: null,
      suffix: null,
      metadata: null,
      seed: null,
    });
  });

  it('is refused by a policy as a call is', async () => {
    const policy = { allowed_providers: [] };
    await key.put('/api/v1/policy', policy);
    expect(await key.post(JOBS, await bodyWith())).toMatchObject({
      status: 422,
      body: { error: { code: 'no_eligible_route' } },
    });
  });

  it('is refused by the policy of the key or the project that asks, and by no other', async () => {
    const { keyId, projectId } = { keyId: key.keyId, projectId: organization.projectId };
    const ofProject = await management.withKey(organization, undefined, projectId);
    await key.put(`/api/v1/projects/${projectId}/policy`, { allowed_regions: [] });
    const training_file = await newFile(organization, projectId);
    expect(await ofProject.post(JOBS, { model: 'acme/small', training_file })).toMatchObject({
      status: 422,
      body: { error: { code: 'no_eligible_route' } },
    });
    expect((await key.post(JOBS, await bodyWith())).status).toBeLessThan(300);
    await key.put(`/api/v1/keys/${keyId}/policy`, { denied_models: ['acme/small'] });
    expect(await key.post(JOBS, await bodyWith())).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', param: 'model' } },
    });
  });

  it('is refused by a wallet that has too little, and by a budget, which then counts as exceeded', async () => {
    const training_file = await newFile(organization, null, { tokenCount: 90_000 });
    await management.database.pool.query('UPDATE wallets SET balance_nanos = $1 WHERE organization_id = $2', [
      HELD - 1,
      organization.id,
    ]);
    expect(await key.post(JOBS, { model: 'acme/small', training_file })).toMatchObject({
      status: 402,
      body: { error: { code: 'insufficient_funds' } },
    });
    await management.database.pool.query('UPDATE wallets SET balance_nanos = $1 WHERE organization_id = $2', [
      CREDIT,
      organization.id,
    ]);
    const budget = await key.post('/api/v1/budgets', {
      ...{
        name: 'Key',
        scope: 'api_key',
        scope_id: key.keyId,
        period: 'month',
        amount_nanos: HELD - 1,
        action: 'block',
      },
    });
    expect(budget.status).toBe(201);
    expect(await key.post(JOBS, await bodyWith())).toMatchObject({
      status: 402,
      body: { error: { code: 'budget_exceeded', param: 'budget' } },
    });
    const spend = await management.database.prisma.budgetSpend.findFirstOrThrow({
      where: { budgetId: budget.body.id as string },
    });
    expect(spend.refusedAt).not.toBeNull();
    expect(await wallet()).toEqual({ balance: CREDIT, held: 0 });
  });

  it('is one of three that are open at a time, unless the operator allows more', async () => {
    const jobs = [await newJob(), await newJob(), await newJob()];
    expect(await key.post(JOBS, await bodyWith())).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    await end(jobs[0]!, { status: 'succeeded' });
    await newJob();
    const operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    const raised = await operator.patch(`/platform/v1/organizations/${organization.id}`, {
      fine_tuning_jobs_max: 4,
    });
    expect(raised).toMatchObject({ status: 200, body: { fine_tuning_jobs_max: 4 } });
    await newJob();
    expect((await key.post(JOBS, await bodyWith())).status).toBe(409);
  });

  it('that is asked for again with the same key is the same job', async () => {
    const body = await bodyWith();
    const again = (path: string, sent: object) => key.call('POST', path, sent, { 'idempotency-key': 'k1' });
    const first = await again(JOBS, body);
    const both = await Promise.all([again(JOBS, body), again(MANAGED, body)]);
    expect([first, ...both].map(({ body: { id } }) => id as string)).toEqual(Array(3).fill(first.body.id));
    expect(await again(JOBS, { ...body, seed: 5 })).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } },
    });
    expect((await wallet()).held).toBe(HELD);
  });

  it('is there for its maker’s retry whatever the policy allows by now, and for others within theirs', async () => {
    const body = await bodyWith();
    const again = (by: Client, path: string) => by.call('POST', path, body, { 'idempotency-key': 'k1' });
    const { id } = (await again(key, JOBS)).body;
    const other = await management.withKey(organization);
    expect((await again(other, MANAGED)).body.id).toBe(id);
    await key.put('/api/v1/policy', { denied_models: ['acme/small'] });
    for (const path of [JOBS, MANAGED]) expect((await again(key, path)).body.id).toBe(id);
    expect(await again(other, JOBS)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', param: 'model' } },
    });
    expect((await key.post(JOBS, body)).status).toBe(404);
    expect((await wallet()).held).toBe(HELD);
  });

  it('cannot be paused or resumed', async () => {
    const id = await newJob();
    for (const action of ['pause', 'resume']) {
      expect(await key.post(`${JOBS}/${id}/${action}`, {})).toMatchObject({
        status: 422,
        body: { error: { code: 'operation_unsupported' } },
      });
      expect((await key.post(`${JOBS}/${unusedId('fineTuningJob')}/${action}`, {})).status).toBe(404);
    }
  });

  it('is cancelled by the worker once somebody asked for it, and not after its end', async () => {
    const id = await newJob();
    const user = await management.withSession(organization, 'developer');
    expect(await user.post(`${MANAGED}/${id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { state: 'validating_files', cancelled_by: user.userId },
    });
    // Asking again changes nothing.
    expect(await key.post(`${JOBS}/${id}/cancel`, {})).toMatchObject({ status: 200, body: { id } });
    expect((await key.get(`${MANAGED}/${id}`)).body.cancelled_by).toBe(user.userId);
    await end(id, { status: 'succeeded' });
    for (const path of [`${JOBS}/${id}/cancel`, `${MANAGED}/${id}/cancel`]) {
      expect(await key.post(path, {})).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    }
    const cancels = await management.database.prisma.auditEntry.count({
      where: { organizationId: organization.id, action: 'fine_tuning_job.cancel' },
    });
    expect(cancels).toBe(1);
  });

  it('that succeeded is in the ledger, in usage without a request, and has its model', async () => {
    const id = await newJob();
    await end(id, { status: 'succeeded' });
    const job = (await key.get(`${JOBS}/${id}`)).body;
    expect(job).toMatchObject({ status: 'succeeded', trained_tokens: 2_000, error: null });
    const name = job.fine_tuned_model as string;
    expect(name).toMatch(/^ft-[a-z]{8}\/small-\d{8}-[a-z]{6}$/);
    const charged = 2_000 * 37.5;
    expect((await key.get(`${MANAGED}/${id}`)).body).toMatchObject({
      charged_nanos: charged,
      held_nanos: HELD,
    });
    expect((await key.get('/api/v1/wallet/transactions?kind=fine_tuning')).body.data).toMatchObject([
      { kind: 'fine_tuning', amount_nanos: -charged, fine_tuning_job_id: id, request_id: null },
    ]);
    expect((await key.get('/api/v1/usage?group_by=model')).body.data).toMatchObject([
      { model: 'acme/small', requests: 0, customer_nanos: charged },
    ]);
    expect((await key.get(MODELS)).body.data).toMatchObject([
      { id: name, base_model: 'acme/small', fine_tuning_job_id: id },
    ]);
    const shown = (await key.get('/api/v1/catalog/models')).body.data as { id: string }[];
    expect(shown.map((model) => model.id)).toEqual(['acme/small', 'acme/plain', name]);
    expect(shown[0]).toMatchObject({ fine_tuning: [{ provider: 'free', price_per_trained_token: 37.5 }] });
  });
});

describe('what a job said and made', () => {
  it('is paged, newest first', async () => {
    const id = await newJob();
    await end(id, { status: 'succeeded' });
    const first = (await key.get(`${JOBS}/${id}/events?limit=2`)).body;
    expect(first).toMatchObject({ object: 'list', has_more: true, first_id: first.data[0].id });
    expect(first.data).toMatchObject([
      { object: 'fine_tuning.job.event', message: 'three', level: 'warn', type: 'message', data: null },
      { message: 'two', type: 'metrics', data: { step: 1 } },
    ]);
    const rest = (await key.get(`${JOBS}/${id}/events?limit=2&after=${first.last_id as string}`)).body;
    expect(rest).toMatchObject({ has_more: false, data: [{ message: 'one' }] });
    const checkpoints = (await key.get(`${JOBS}/${id}/checkpoints`)).body;
    expect(checkpoints.data).toMatchObject([
      { object: 'fine_tuning.job.checkpoint', step_number: 2, fine_tuning_job_id: id, metrics: { step: 2 } },
      { step_number: 1 },
    ]);
    expect((await key.get(`${JOBS}/${id}/events?after=ftevent_nothing_1`)).status).toBe(400);
  });

  it('belongs to the list of jobs, which can be searched by metadata', async () => {
    const [one, two] = [
      await newJob(key, { metadata: { team: 'a' } }),
      await newJob(key, { metadata: { team: 'b' } }),
    ];
    const idsIn = async (path: string) =>
      ((await key.get(path)).body.data as { id: string }[]).map(({ id }) => id);
    expect(await idsIn(JOBS)).toEqual([two, one]);
    expect(await idsIn(`${JOBS}?limit=1&after=${two}`)).toEqual([one]);
    expect(await idsIn(`${JOBS}?metadata[team]=a`)).toEqual([one]);
    expect(await idsIn(`${MANAGED}?state=queued`)).toEqual([]);
    expect((await key.get(`${JOBS}?after=file_1`)).status).toBe(400);
  });
});

describe('another organization', () => {
  it('finds none of it, on any route', async () => {
    const id = await newJob();
    await end(id, { status: 'succeeded' });
    const name = (await key.get(`${JOBS}/${id}`)).body.fine_tuned_model as string;
    const file = await newFile();
    const other = await management.withKey(await management.newOrganization());
    const answers = [
      await other.get(`${JOBS}/${id}`),
      await other.post(`${JOBS}/${id}/cancel`, {}),
      await other.get(`${JOBS}/${id}/events`),
      await other.get(`${JOBS}/${id}/checkpoints`),
      await other.get(`${MANAGED}/${id}`),
      await other.post(`${MANAGED}/${id}/cancel`, {}),
      await other.delete(`${MODELS}/${encodeURIComponent(name)}`),
      await other.get(`/api/v1/catalog/models/${encodeURIComponent(name)}`),
      await other.post(JOBS, { model: 'acme/small', training_file: file }),
      await other.post(JOBS, { model: name, training_file: file }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    for (const path of [JOBS, MANAGED, MODELS]) expect((await other.get(path)).body.data).toEqual([]);
  });

  it('has no creator of the same name, ever', async () => {
    const second = await management.newOrganization();
    await new WalletStore(management.database).credit(second.id, nanos(CREDIT), 'test');
    const creators = new Set<string>();
    for (const maker of [organization, second, organization]) {
      const by = await management.withKey(maker);
      await by.post(JOBS, { model: 'acme/small', training_file: await newFile(maker) });
    }
    const rows = await management.database.prisma.fineTuningJob.findMany({
      where: { organizationId: { in: [organization.id, second.id] } },
    });
    for (const { modelName, organizationId } of rows)
      creators.add(`${organizationId} ${modelName.split('/')[0]!}`);
    expect(creators.size).toBe(2);
    expect(new Set([...creators].map((pair) => pair.split(' ')[1])).size).toBe(2);
  });
});

it('a project’s key makes and sees things of its project only', async () => {
  const project = await key.post('/api/v1/projects', { name: 'P' });
  const projectId = project.body.id as string;
  const ofProject = await management.withKey(
    organization,
    ['fine_tuning:write', 'fine_tuning:read'],
    projectId,
  );
  const outside = await newJob();
  const unseen = await newFile();
  expect((await ofProject.get(`${JOBS}/${outside}`)).status).toBe(404);
  expect((await ofProject.post(JOBS, { model: 'acme/small', training_file: unseen })).status).toBe(404);
  const training_file = await newFile(organization, projectId);
  const made = await ofProject.post(JOBS, { model: 'acme/small', training_file });
  expect(made.status).toBe(200);
  expect((await key.get(`${MANAGED}/${made.body.id as string}`)).body.project_id).toBe(projectId);
  expect(((await ofProject.get(JOBS)).body.data as unknown[]).length).toBe(1);
});

it('a model is deleted for everybody, once', async () => {
  const id = await newJob();
  await end(id, { status: 'succeeded' });
  const name = (await key.get(`${JOBS}/${id}`)).body.fine_tuned_model as string;
  const path = `${MODELS}/${encodeURIComponent(name)}`;
  expect((await key.delete(path)).status).toBe(204);
  expect((await key.delete(path)).status).toBe(404);
  expect((await key.get(MODELS)).body.data).toEqual([]);
  const row = await management.database.prisma.fineTunedModel.findUniqueOrThrow({ where: { name } });
  expect(row.dueAt).not.toBeNull();
  const [entry] = await management.database.prisma.auditEntry.findMany({
    where: { organizationId: organization.id, action: 'fine_tuning_model.delete' },
  });
  expect(entry).toMatchObject({ targetId: name, targetLabel: name });
});

it('is no model where its name holds what no name can', async () => {
  for (const name of ['%00', '%0A', 'a%00b'])
    expect((await key.delete(`${MODELS}/${name}`)).status).toBe(404);
  for (const text of ['\0', 'a\nb']) {
    const cursor = Buffer.from(text).toString('base64url');
    expect((await key.get(`${MODELS}?cursor=${cursor}`)).body.error).toMatchObject({
      code: 'invalid_request',
      param: 'cursor',
    });
  }
});

describe('a file that an open job uses', () => {
  it('can neither be deleted nor expires, until the job has ended', async () => {
    const training_file = await newFile(organization, null, { keptSeconds: 3_600 });
    const made = await key.post(JOBS, { model: 'acme/small', training_file });
    await management.database.prisma.trainingFile.update({
      where: { id: training_file },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    await new TrainingFileUpkeep(management.database).expire();
    expect((await key.get(`/v1/files/${training_file}`)).status).toBe(200);
    expect(await key.delete(`/v1/files/${training_file}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    await end(made.body.id as string, { status: 'succeeded' });
    await new TrainingFileUpkeep(management.database).expire();
    expect((await key.get(`/v1/files/${training_file}`)).status).toBe(404);
  });
});

it('an approval policy gates a job, whichever route asks for it', async () => {
  const approver = await management.withSession(organization, 'owner');
  await management.withSession(organization, 'owner');
  const policy = await approver.post('/api/v1/approval-policies', {
    ...{ name: 'Training', actions: ['fine_tuning_job.create'], required_approvals: 1 },
    approvers: { roles: ['owner'], user_ids: [] },
  });
  expect(policy.status).toBe(201);
  const body = await bodyWith();
  const waiting = await key.post(JOBS, body);
  expect(waiting).toMatchObject({ status: 400, body: { error: { code: 'approval_required' } } });
  expect(await wallet()).toEqual({ balance: CREDIT, held: 0 });
  const requests = (await approver.get('/api/v1/approval-requests')).body.data as {
    id: string;
    body: unknown;
  }[];
  expect(requests).toMatchObject([{ body, method: 'POST', path: JOBS }]);
});

it('roles that may read cannot train', async () => {
  const viewer = await management.withSession(organization, 'viewer');
  expect((await viewer.get(MANAGED)).status).toBe(200);
  expect((await viewer.post(MANAGED, await bodyWith())).status).toBe(403);
  const reader = await management.withKey(organization, ['fine_tuning:read']);
  expect((await reader.post(JOBS, await bodyWith())).status).toBe(403);
});
