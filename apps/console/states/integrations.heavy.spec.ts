import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const INTEGRATION = 'int_06dpm2q4x8k3c0v9r7t5w1hzny';
const DELIVERY = 'dlv_06dpm2q4x8k3c0v9r7t5w1hzny';
const PATH = `/integrations/${INTEGRATION}`;
const noPermission = /^Your role, Viewer, cannot see integrations\./;
const exampleOf = (path: string) => documentedExample('GET', BELOW + path)?.body as Record<string, unknown>;
const example = {
  ...exampleOf(PATH),
  kind: 'slack',
  config: { url: 'https://hooks.slack.com' },
  state: 'active',
  enabled: true,
};
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});
const answers = { 'GET /integrations': listOf([example]), [`GET ${PATH}`]: { body: example } };
const HOSTILE = '<img src=x onerror="document.title=1">\u202e';
const SHOWN = '<img src=x onerror="document.title=1">⟨U+202E⟩';

describePages('the page of integrations', () => {
  describeStates({
    path: '/integrations',
    reads: 'GET /integrations',
    heading: 'Integrations',
    shown: (page) => page.getByRole('table', { name: 'Integrations' }).waitFor(),
    noPermission,
    answers,
    overlays: [
      async (page) => {
        await page.getByRole('button', { name: 'Create integration' }).click();
        await page.getByRole('checkbox').first().waitFor();
      },
      (page) => page.getByRole('search').getByRole('button', { name: 'Kind' }).click(),
    ],
  });
});

describePages('the page of one integration', () => {
  describeStates({
    path: PATH,
    reads: `GET ${PATH}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Newest deliveries' }).waitFor(),
    noPermission,
    gone: 'This integration was not found',
    answers,
    overlays: [(page) => page.getByRole('button', { name: 'Delete' }).click()],
  });
});

describePages('the deliveries of an integration', () => {
  describeStates({
    path: `${PATH}/deliveries`,
    reads: `GET ${PATH}/deliveries`,
    heading: 'Deliveries',
    shown: (page) => page.getByRole('table', { name: 'Deliveries' }).waitFor(),
    noPermission,
    gone: 'This integration was not found',
    overlays: [(page) => page.getByRole('search').getByRole('button', { name: 'Status' }).click()],
  });
});

describePages('the page of one delivery to an integration', () => {
  describeStates({
    path: `${PATH}/deliveries/${DELIVERY}`,
    reads: `GET ${PATH}/deliveries/${DELIVERY}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Attempts' }).waitFor(),
    noPermission,
    gone: 'This delivery was not found',
  });
});

describePages('what integrations show', () => {
  const open = consoles();
  type Opened = Awaited<ReturnType<typeof open>>;

  /** The body of the first write of a kind. */
  const sent = ({ calls }: Opened, wanted: string): unknown =>
    JSON.parse(String(calls.find(({ method }) => method === wanted)?.body));

  it('says what an integration is for, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/integrations', answers: { 'GET /integrations': listOf([]) } });
    await page.getByText('No integrations yet').waitFor();
    await page.goto(page.url().replace(/\/integrations.*/, '/integrations?kind=teams'));
    await page.getByText('No integrations match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No integrations yet').waitFor();
  });

  it('says the state with its cause, and names as plain text', async () => {
    const failing = { ...example, name: HOSTILE, state: 'failing', consecutive_failures: 12 };
    const { page } = await open({
      path: '/integrations',
      answers: { 'GET /integrations': listOf([failing]) },
    });
    await page.getByRole('row', { name: /Failing.*12 failures in a row/ }).waitFor();
    await page.getByText(SHOWN).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  const chosen = async (console: Opened, kind: string) => {
    const dialog = console.page.getByRole('dialog', { name: 'Create integration' });
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await console.page.getByRole('option', { name: kind }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('On-call');
    return dialog;
  };

  it('asks for the fields of the kind, and sends those alone', async () => {
    const console = await open({ path: '/integrations?create=true' });
    const dialog = await chosen(console, 'PagerDuty');
    await dialog.getByRole('button', { name: 'Create integration' }).click();
    await dialog.getByText('Enter the integration key.').waitFor();
    await dialog.getByLabel('Integration key').fill('R0123456789');
    await dialog.getByRole('button', { name: 'Create integration' }).click();
    await console.page.getByText('Integration created.').waitFor();
    expect(sent(console, 'POST')).toEqual({
      kind: 'pagerduty',
      name: 'On-call',
      config: { routing_key: 'R0123456789' },
      event_types: ['alert.*', 'incident.*', 'budget.*', 'payment.failed', 'approval.requested'],
      enabled: true,
    });
    await dialog.waitFor({ state: 'detached' });
    expect(await console.page.content()).not.toContain('R0123456789');
  });

  it('asks mail for somebody, and telemetry for headers that can be read', async () => {
    const mail = await open({ path: '/integrations?create=true' });
    const dialog = await chosen(mail, 'Email');
    await dialog.getByRole('button', { name: 'Create integration' }).click();
    await dialog.getByText('Choose at least one role or member.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Owner' }).check();
    await dialog.getByRole('button', { name: 'Create integration' }).click();
    await mail.page.getByText('Integration created.').waitFor();
    expect(sent(mail, 'POST')).toMatchObject({ config: { roles: ['owner'], member_ids: [] } });

    const otlp = await open({ path: '/integrations?create=true' });
    const form = await chosen(otlp, 'OpenTelemetry');
    await form.getByRole('textbox', { name: 'URL' }).fill('https://collector.example.com');
    await form.getByRole('textbox', { name: 'Headers' }).fill('no header');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await form.getByText('Enter one “name: value” per line.').last().waitFor();
    await form.getByRole('textbox', { name: 'Headers' }).fill('x-api-key: secret');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await otlp.page.getByText('Integration created.').waitFor();
    expect(sent(otlp, 'POST')).toEqual({
      kind: 'otlp',
      name: 'On-call',
      config: {
        url: 'https://collector.example.com',
        headers: { 'x-api-key': 'secret' },
        signals: ['traces', 'metrics'],
        encoding: 'protobuf',
      },
      enabled: true,
    });
  });

  it('keeps a secret that is not typed again', async () => {
    const console = await open({ path: PATH, answers });
    await console.page.getByRole('button', { name: 'Edit' }).click();
    const dialog = console.page.getByRole('dialog', { name: 'Edit integration' });
    await dialog.getByText('Leave empty to keep https://hooks.slack.com.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await console.page.getByText('Integration saved.').waitFor();
    expect(sent(console, 'PATCH')).toMatchObject({ name: 'Renamed', config: {} });
  });

  it('shows what the API refused at its field', async () => {
    const refused = { code: 'url_not_allowed', message: 'config.url: is private.', param: 'config.url' };
    const console = await open({
      path: '/integrations?create=true',
      answers: { 'POST /integrations': { status: 400, body: { error: { ...refused, retriable: false } } } },
    });
    const dialog = await chosen(console, 'Discord');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Create integration' }).click();
    await dialog.getByText('config.url: is private.').waitFor();
    await dialog
      .getByRole('textbox', { name: 'URL' })
      .and(console.page.locator('[aria-invalid="true"]'))
      .waitFor();
  });

  it('leads from a test to its answer, which appears without a reload', async () => {
    let reads = 0;
    const delivery = { ...exampleOf(`${PATH}/deliveries/${DELIVERY}`), id: DELIVERY };
    const { page } = await open({
      path: PATH,
      answers: {
        ...answers,
        [`POST ${PATH}/test`]: { body: { ...delivery, status: 'queued', attempts_log: [] } },
        [`GET ${PATH}/deliveries/${DELIVERY}`]: () => {
          reads += 1;
          const queued = { ...delivery, status: 'queued', attempts_log: [], next_attempt_at: null };
          return { body: reads < 2 ? queued : { ...delivery, status: 'succeeded' } };
        },
      },
    });
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('No attempts yet.').waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Attempts' }).waitFor();
  });

  it('shows a role that may only read no buttons', async () => {
    const { page } = await open({ path: PATH, permissions: ['org:read', 'integration:read'], answers });
    await page.getByRole('table', { name: 'Newest deliveries' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Send|Pause|Change|Delete)/ }).count()).toBe(0);
  });
});
