/** The pictures of docs/console: each page, and what is done there before it is taken. */
export const shots = [
  { name: 'overview', path: '/?period=30d&group=model' },
  { name: 'start', path: '/start' },
  { name: 'requests', path: '/requests', height: 800 },
  { name: 'request', path: '/requests', prepare: openFirst },
  { name: 'refusals', path: '/refusals', height: 800 },
  {
    name: 'playground',
    path: '/playground?model=anthropic/claude-sonnet-5,openai/gpt-5.4-mini',
    height: 1_200,
    prepare: askModels,
  },
  { name: 'models', path: '/models', height: 900 },
  { name: 'routing', path: '/routing', height: 1_100, prepare: draftPolicy },
  { name: 'keys', path: '/keys' },
  { name: 'projects', path: '/projects' },
  { name: 'provider-credentials', path: '/provider-credentials' },
  { name: 'members', path: '/members' },
  { name: 'audit', path: '/audit', height: 800 },
  { name: 'budgets', path: '/budgets' },
  { name: 'wallet', path: '/wallet', height: 1_000 },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'integrations', path: '/integrations' },
  { name: 'oauth-apps', path: '/oauth-apps' },
  { name: 'exports', path: '/exports' },
  { name: 'settings', path: '/settings' },
  { name: 'alerts', path: '/alerts?tab=rules' },
  // Its cost would be on pages before.
  { name: 'fine-tuning', path: '/fine-tuning', prepare: trainModel },
  { name: 'fine-tuning-endpoint', path: '/fine-tuning?tab=endpoints', prepare: serveModel },
  { name: 'operator', application: 'operator', path: '/', prepare: signIn },
  // Its policy holds what pages after it would create.
  { name: 'approvals', path: '/approvals?tab=policies', prepare: holdKey },
  // While it is open, each page has its banner.
  { name: 'incidents', path: '/incidents', prepare: openIncident },
];

/** The operator, with a few customers more. */
async function signIn(page, { service }) {
  const call = (path, body, method = 'POST') =>
    fetch(`${service.base_url}/platform/v1/organizations${path}`, {
      method,
      headers: { authorization: `Bearer ${service.platform_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.json());
  for (const [name, dollars, state] of customers) {
    const { id } = await call('', {
      name,
      owner_email: `ada@${name.toLowerCase().replaceAll(' ', '-')}.example`,
    });
    if (dollars > 0) await call(`/${id}/credit-grants`, { amount_nanos: dollars * 1e9, reason: 'Invoice' });
    if (state !== 'active') await call(`/${id}`, { state }, 'PATCH');
  }
  await page.getByLabel('Operator’s token').fill(service.platform_token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Organizations' }).waitFor();
}

const customers = [
  ['Fjord Analytics', 250, 'active'],
  ['Maple Press', 0, 'active'],
  ['Quiet Harbour', 1_200, 'suspended'],
  ['Lumen Health', 4_000, 'active'],
];

/** A draft that turns the order of a model's endpoints round. */
async function draftPolicy(page) {
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('openai/gpt-oss-120b');
  await page.getByRole('option', { name: 'openai/gpt-oss-120b' }).click();
  await page.getByRole('combobox', { name: 'Add a provider' }).fill('deepseek');
  await page.getByRole('option', { name: 'deepseek' }).click();
  await page.getByRole('radio', { name: 'Throughput' }).check();
  await page.getByText('stops being callable').or(page.getByText('stop being callable')).first().waitFor();
  // The level that it is of, above the form.
  await page.evaluate('scrollTo(0, 0)');
}

/** A job that has ended. */
async function trainModel(page, { api, upload }) {
  const examples = Array.from({ length: 40 }, (_, at) => ({
    messages: [
      { role: 'user', content: `Where is order ${4_000 + at}?` },
      { role: 'assistant', content: 'It left our warehouse this morning and arrives on Thursday.' },
    ],
  }));
  const { id } = await upload('answers-of-support.jsonl', examples);
  // Usage copied to earlier days is more than they allow.
  const { data: budgets } = await api('GET', '/budgets');
  for (const budget of budgets) await api('PATCH', `/budgets/${budget.id}`, { enabled: false });
  await api('POST', '/fine-tuning/jobs', {
    hyperparameters: { n_epochs: 8 },
    seed: 7,
    model: 'simulator/echo',
    training_file: id,
    suffix: 'support',
  });
  await page.reload();
  await page.getByRole('link', { name: 'simulator/echo · support' }).click();
  await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByText('The job has successfully completed').waitFor();
}

/** An endpoint that serves the model of the job. */
async function serveModel(page, { api }) {
  const { data } = await api('GET', '/fine-tuning/models');
  const model = data[0].id;
  const { id } = await api('POST', '/fine-tuning/endpoints', { model, hardware: 'sim-small', max_hours: 8 });
  await api('POST', `/fine-tuning/endpoints/${id}/start`);
  await page.reload();
  await page.getByRole('link', { name: model }).click();
  await page.getByText('Running', { exact: true }).waitFor({ timeout: 60_000 });
}

/** A policy for new keys, and a key that waits for it. Somebody must be there who can decide. */
async function holdKey(page, { invitation }) {
  await accept(page.context().browser(), invitation);
  await page.getByRole('button', { name: 'Create policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('New keys');
  await dialog.getByRole('checkbox', { name: 'api_key.create' }).check();
  await dialog.getByRole('button', { name: 'Create policy' }).click();
  await page.getByText('Policy created.').waitFor();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Booking agent');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('link', { name: 'Open the request' }).click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
}

/** An incident of the operator, with an update. */
async function openIncident(page, { operator }) {
  const { id } = await operator('POST', '/incidents', {
    title: 'Webhooks arrive late',
    message: 'Deliveries wait for some minutes. We look into it.',
    severity: 'minor',
    components: ['webhooks'],
    audience: 'all',
  });
  await operator('POST', `/incidents/${id}/updates`, {
    message: 'A queue was full. It drains, oldest deliveries first.',
    state: 'identified',
  });
  await page.getByRole('link', { name: 'View incident' }).click({ timeout: 180_000 });
  await page.getByText('A queue was full.').waitFor();
}

/** Becomes a member by the address of an invitation. */
async function accept(browser, invitation) {
  const context = await browser.newContext();
  const form = await context.newPage();
  await form.goto(invitation);
  await form.getByLabel(/^(New p|P)assword/).fill('an invented password');
  await form.getByLabel('The same password again').fill('an invented password');
  await form.getByRole('button').first().click();
  await form.waitForURL(/\/console\//);
  await context.close();
}

async function openFirst(page) {
  await page.getByRole('main').getByRole('table').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
}

/** A message, and both answers whole. */
async function askModels(page) {
  await page.getByRole('textbox', { name: 'System prompt' }).fill('You answer customers of a travel agency.');
  await page.getByRole('textbox', { name: 'Message' }).fill('Can I move my flight to Lisbon by a day?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Open the request' }).nth(1).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
}
