import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const JOB = 'ftjob_06dpm2q4x8k3c0v9r7t5w1hzny';
const ENDPOINT = 'fte_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission = /^Your role, .*, cannot see fine-tuning\./;
const exampleOf = (path: string) => documentedExample('GET', BELOW + path)?.body as Record<string, unknown>;
const example = exampleOf(`/fine-tuning/jobs/${JOB}`);
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const running = {
  ...example,
  state: 'running',
  completed_at: null,
  fine_tuned_model: null,
  failure_code: null,
};
const up = { ...exampleOf(`/fine-tuning/endpoints/${ENDPOINT}`), state: 'running', stop_reason: null };
const off = { ...up, state: 'stopped', stop_reason: 'idle', stops_at: null };
const HOSTILE = '<img src=x onerror="document.title=1">\u202e';
const SHOWN = '<img src=x onerror="document.title=1">⟨U+202E⟩';

describePages('the page of fine-tuning', () => {
  describeStates({
    path: '/fine-tuning',
    reads: 'GET /fine-tuning/jobs',
    heading: 'Fine-tuning',
    shown: (page) => page.getByRole('table', { name: 'Fine-tuning jobs' }).waitFor(),
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Create job' }).click(),
      (page) => page.getByRole('search').getByRole('button', { name: 'State' }).click(),
    ],
  });
});

describePages('the tuned models', () => {
  describeStates({
    path: '/fine-tuning?tab=models',
    reads: 'GET /fine-tuning/models',
    heading: 'Fine-tuning',
    shown: (page) => page.getByRole('table', { name: 'Tuned models' }).waitFor(),
    overlays: [(page) => page.getByRole('button', { name: 'Delete' }).click()],
  });
});

describePages('the training files', () => {
  describeStates({
    path: '/fine-tuning?tab=files',
    reads: 'GET /fine-tuning/files',
    heading: 'Fine-tuning',
    shown: (page) => page.getByRole('table', { name: 'Training files' }).waitFor(),
  });
});

describePages('the page of one fine-tuning job', () => {
  describeStates({
    path: `/fine-tuning/jobs/${JOB}`,
    reads: `GET /fine-tuning/jobs/${JOB}`,
    heading: /.+/,
    shown: (page) => page.getByRole('region', { name: 'Cost' }).waitFor(),
    noPermission,
    gone: 'This fine-tuning job was not found',
    answers: { [`GET /fine-tuning/jobs/${JOB}`]: { body: running } },
    overlays: [(page) => page.getByRole('button', { name: 'Cancel job' }).click()],
  });
});

describePages('the endpoints of tuned models', () => {
  describeStates({
    path: '/fine-tuning?tab=endpoints',
    reads: 'GET /fine-tuning/endpoints',
    heading: 'Fine-tuning',
    shown: (page) => page.getByRole('table', { name: 'Endpoints' }).waitFor(),
    overlays: [(page) => page.getByRole('button', { name: 'Create endpoint' }).click()],
  });
});

describePages('the page of one endpoint', () => {
  describeStates({
    path: `/fine-tuning/endpoints/${ENDPOINT}`,
    reads: `GET /fine-tuning/endpoints/${ENDPOINT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('region', { name: 'Cost' }).waitFor(),
    noPermission,
    gone: 'This endpoint was not found',
    answers: { [`GET /fine-tuning/endpoints/${ENDPOINT}`]: { body: off } },
    overlays: ['Start', 'Change limits', 'Delete'].map(
      (name) => (page) => page.getByRole('button', { name, exact: true }).click(),
    ),
  });
});

describePages('endpoints', () => {
  const open = consoles();
  const path = `/fine-tuning/endpoints/${ENDPOINT}`;

  it('says what an endpoint is where there is none, and which models there are', async () => {
    const answers = { 'GET /fine-tuning/endpoints': listOf([]) };
    const { page } = await open({ path: '/fine-tuning?tab=endpoints', answers });
    await page.getByText('No endpoints').waitFor();
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'Create endpoint' });
    await form.getByRole('button', { name: 'Create endpoint' }).click();
    await form.getByText('Choose a model.').waitFor();
    await form.getByText('Choose hardware.').waitFor();
    await form.getByRole('textbox', { name: 'Longest run (hours)' }).fill('1.234');
    await form.getByText('Enter hours, for example 24 or 0.5.').waitFor();
  });

  it('shows what one costs a minute while it runs, and why it stopped without a reload', async () => {
    let reads = 0;
    const { page } = await open({
      path,
      answers: {
        [`GET ${path}`]: () => {
          reads += 1;
          const body = { ...up, price_per_hour_nanos: 6_000_000_000, running_seconds: 90, charged_nanos: 0 };
          return { body: reads < 2 ? body : { ...off, model: HOSTILE } };
        },
      },
    });
    const cost = page.getByRole('region', { name: 'Cost' });
    await cost.getByText('$0.1000').waitFor();
    await cost.getByText('1 min 30 s').waitFor();
    await cost.getByText('$0.150000000 · 150,000,000 nanos').waitFor();
    await page.getByText('Idle for too long.').waitFor();
    await page.getByRole('heading', { level: 1, name: SHOWN }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('cannot delete one that runs, and says so', async () => {
    const { page } = await open({ path, answers: { [`GET ${path}`]: { body: up } } });
    const remove = page.getByRole('button', { name: 'Delete' });
    expect(await remove.getAttribute('aria-description')).toBe('Stop the endpoint first.');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('alertdialog', { name: 'Stop this endpoint?' }).waitFor();
  });

  it('shows why the service did not start one, in its words', async () => {
    const message = 'The wallet does not hold enough.';
    const { page } = await open({
      path,
      answers: {
        [`GET ${path}`]: { body: off },
        [`POST ${path}/start`]: {
          status: 402,
          body: { error: { code: 'insufficient_funds', message, param: null, retriable: false } },
        },
      },
    });
    await page.getByRole('button', { name: 'Start' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Start this endpoint?' });
    await asked.getByRole('button', { name: 'Start endpoint' }).click();
    await asked.getByText(message).waitFor();
  });
});

describePages('fine-tuning', () => {
  const open = consoles();

  it('says what each tab is for, where it is empty, and that no job matches a filter', async () => {
    const answers = {
      'GET /fine-tuning/jobs': listOf([]),
      'GET /fine-tuning/models': listOf([]),
      'GET /fine-tuning/files': listOf([]),
    };
    const { page } = await open({ path: '/fine-tuning', answers });
    await page.getByText('No fine-tuning jobs yet').waitFor();
    await page.getByRole('tab', { name: 'Models' }).click();
    await page.getByText('No tuned models yet').waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByText('No training files').waitFor();
    await page.goto(page.url().replace(/\/fine-tuning.*/, '/fine-tuning?state=failed'));
    await page.getByText('No jobs match these filters.').waitFor();
  });

  it('shows what is held while a job is open, and what was charged without a reload', async () => {
    let reads = 0;
    const { page } = await open({
      path: `/fine-tuning/jobs/${JOB}`,
      answers: {
        [`GET /fine-tuning/jobs/${JOB}`]: () => {
          reads += 1;
          const done = { ...example, state: 'succeeded', fine_tuned_model: HOSTILE };
          return { body: reads < 2 ? { ...running, charged_nanos: 0 } : done };
        },
      },
    });
    await page.getByText('Held (maximum cost)').waitFor();
    await page.getByText('Charged', { exact: true }).waitFor();
    await page.getByText(SHOWN).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const cancel = page.getByRole('button', { name: 'Cancel job' });
    expect(await cancel.getAttribute('aria-disabled')).toBe('true');
  });

  it('says why a job failed', async () => {
    const failed = {
      ...example,
      state: 'failed',
      failure_code: 'training_file_rejected',
      failure_message: 'Too short.',
    };
    const { page } = await open({
      path: `/fine-tuning/jobs/${JOB}`,
      answers: { [`GET /fine-tuning/jobs/${JOB}`]: { body: failed } },
    });
    await page.getByText('The provider rejected the training file. Too short.').waitFor();
  });

  it('draws the losses of a job with their table, and shows what it says as text', async () => {
    const losses = [
      { step: 1, train_loss: 1, valid_loss: null },
      { step: 2, train_loss: 0.75, valid_loss: 0.8125 },
      { step: 1_000, train_loss: 0.25, valid_loss: null },
    ];
    const events = exampleOf(`/fine-tuning/jobs/${JOB}/events`)['data'] as readonly [object];
    const { page } = await open({
      path: `/fine-tuning/jobs/${JOB}`,
      answers: {
        [`GET /fine-tuning/jobs/${JOB}/losses`]: listOf(losses),
        [`GET /fine-tuning/jobs/${JOB}/events`]: listOf([{ ...events[0], level: 'warn', message: HOSTILE }]),
      },
    });
    const figure = page.getByRole('figure', {
      name: 'Training loss fell from 1 to 0.25 by step 1,000.',
    });
    await figure.getByRole('listitem').getByText('Validation loss').waitFor();
    await figure.getByRole('button', { name: 'Show as table' }).click();
    const table = figure.getByRole('table', { name: 'Losses' });
    await table.getByRole('row', { name: 'Step 2' }).getByText('0.813').waitFor();
    const said = page.getByRole('table', { name: 'Events' }).getByRole('row').nth(1);
    await said.getByText('Warning').waitFor();
    await said.getByText(SHOWN).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('says that nothing was told yet, and reads the last that a job says when it has ended', async () => {
    let hasEnded = false;
    const last = {
      ...(exampleOf(`/fine-tuning/jobs/${JOB}/events`)['data'] as [object])[0],
      message: 'The end',
    };
    const { page } = await open({
      path: `/fine-tuning/jobs/${JOB}`,
      answers: {
        [`GET /fine-tuning/jobs/${JOB}`]: () => ({
          body: hasEnded ? { ...example, state: 'succeeded', completed_at: example['created_at'] } : running,
        }),
        [`GET /fine-tuning/jobs/${JOB}/losses`]: listOf([]),
        [`GET /fine-tuning/jobs/${JOB}/events`]: () => listOf(hasEnded ? [last] : []),
      },
    });
    await page.getByText('No events yet.').waitFor();
    await page.getByText('None reported yet.').waitFor();
    hasEnded = true;
    await page.getByText('The end').waitFor();
  });
});
