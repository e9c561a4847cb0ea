import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const RULE = 'alr_06dpm2q4x8k3c0v9r7t5w1hzny';
const ALERT = 'alt_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission = /^Your role, Viewer, cannot see alerts\./;

const exampleOf = (path: string): object => documentedExample('GET', BELOW + path)?.body as object;
const alert = {
  ...exampleOf(`/alerts/${ALERT}`),
  state: 'firing',
  acknowledged_at: null,
  acknowledged_by: null,
};
const rule = exampleOf(`/alert-rules/${RULE}`);
const filterOf = (of: object): object => (of as { filter: object }).filter;
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});

describePages('the page of alerts', () => {
  describeStates({
    path: '/alerts',
    reads: 'GET /alerts',
    heading: 'Alerts',
    shown: (page) => page.getByRole('table', { name: 'Alerts' }).waitFor(),
    noPermission,
    overlays: [(page) => page.getByRole('button', { name: 'State' }).click()],
  });
});

describePages('the tab of alert rules', () => {
  describeStates({
    path: '/alerts?tab=rules',
    reads: 'GET /alert-rules',
    heading: 'Alerts',
    shown: (page) => page.getByRole('table', { name: 'Alert rules' }).waitFor(),
    noPermission,
    overlays: [(page) => page.getByRole('button', { name: 'Create rule' }).click()],
  });
});

describePages('the page of one alert rule', () => {
  describeStates({
    path: `/alerts/rules/${RULE}`,
    reads: `GET /alert-rules/${RULE}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Alerts of this rule' }).waitFor(),
    noPermission,
    gone: 'This alert rule was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Mute' }).click(),
      (page) => page.getByRole('button', { name: 'Delete' }).click(),
      (page) => page.getByRole('button', { name: 'Send test' }).click(),
    ],
  });
});

describePages('a rule about a budget', () => {
  const open = consoles();

  it('names the budget, and says in words whose calls that counts', async () => {
    const {
      data: [budget],
    } = exampleOf('/budgets') as { data: [{ id: string }] };
    const each = { name: 'Customers', scope: 'end_user', scope_id: '*', period: 'week' };
    const filter = { project_id: null, api_key_id: null, model: null, provider: null, budget_id: budget.id };
    const { page } = await open({
      path: `/alerts/rules/${RULE}`,
      answers: {
        [`GET /alert-rules/${RULE}`]: { body: { ...rule, metric: 'budget_consumed_bps', filter } },
        [`GET /budgets/${budget.id}`]: {
          body: { ...budget, ...each, spent_nanos: null, amount_in_force_nanos: 5_000_000_000 },
        },
      },
    });
    await page.getByText('Customers · Each end user: $5.00 per week').waitFor();
    await page.getByRole('link', { name: 'Customers' }).waitFor();
  });
});

describePages('what a rule is filtered by', () => {
  const open = consoles();
  const ID = '06dpm2q4x8k3c0v9r7t5w1hzny';
  const rowOf = (path: string) => (exampleOf(path) as { data: [object] }).data[0];
  const filter = {
    ...filterOf(rule),
    project_id: `proj_${ID}`,
    api_key_id: `key_${ID}`,
    model: 'acme/small',
  };
  const answers = {
    'GET /projects': listOf([{ ...rowOf('/projects'), id: `proj_${ID}`, name: 'Shop' }]),
    'GET /keys': listOf([{ ...rowOf('/keys'), id: `key_${ID}`, name: 'Initech production' }]),
    'GET /alert-rules': listOf([{ ...rule, metric: 'spend_nanos', filter }]),
    [`GET /alert-rules/${RULE}`]: { body: { ...rule, metric: 'spend_nanos', filter } },
  };

  it('is shown by name, in the list and on the page of the rule', async () => {
    const { page } = await open({ path: '/alerts?tab=rules', answers });
    const rows = page.getByRole('table', { name: 'Alert rules' });
    await rows.getByText('Project Shop · Key Initech production · Model acme/small').waitFor();
    const one = await open({ path: `/alerts/rules/${RULE}`, answers });
    await one.page.getByRole('link', { name: 'Shop' }).waitFor();
    await one.page.getByRole('link', { name: 'Initech production' }).click();
    await one.page.waitForURL(/\/keys\/key_/);
  });

  it('stays an id for a role that may not read the name, and is the organization without filters', async () => {
    const { page } = await open({
      path: '/alerts?tab=rules',
      permissions: ['org:read', 'alert:read'],
      answers,
    });
    await page.getByText(/Key key_06dp…/).waitFor();
    const whole = { ...rule, metric: 'wallet_available_nanos' };
    const other = await open({
      path: '/alerts?tab=rules',
      answers: { 'GET /alert-rules': listOf([whole]) },
    });
    await other.page.getByRole('cell', { name: 'Organization' }).waitFor();
  });

  it('is a name in the filter of alerts by their rule, too', async () => {
    const named = { ...rule, name: 'Too many errors' };
    const { page } = await open({
      path: '/alerts',
      answers: { 'GET /alert-rules': listOf([named]), [`GET /alert-rules/${RULE}`]: { body: named } },
    });
    await page.getByRole('button', { name: 'Rule' }).click();
    await page.getByRole('combobox', { name: 'Rule' }).fill('too many');
    await page.getByRole('option', { name: /^Too many errors/ }).click();
    await page.waitForURL((url) => url.searchParams.get('rule') === RULE);
    await page.getByRole('button', { name: 'Rule: Too many errors' }).waitFor();
  });
});

describePages('the page of one alert', () => {
  describeStates({
    path: `/alerts/${ALERT}`,
    reads: `GET /alerts/${ALERT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Notifications' }).waitFor(),
    noPermission,
    gone: 'This alert was not found',
  });
});

describePages('alerts', () => {
  const open = consoles();

  it('says what it is for where nothing is there, and that none matches a filter', async () => {
    const { page } = await open({
      path: '/alerts',
      answers: { 'GET /alerts': listOf([]), 'GET /alert-rules': listOf([]) },
    });
    await page.getByText('No alerts yet').waitFor();
    await page.goto(page.url().replace(/\/alerts.*/, '/alerts?state=firing'));
    await page.getByText('No alerts match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No alerts yet').waitFor();
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByText('No alert rules yet').waitFor();
    await page.goto(page.url().replace(/\/alerts.*/, '/alerts?tab=rules&enabled=false'));
    await page.getByText('No rules match these filters.').waitFor();
  });

  it('reads the first page only, and the next when asked to', async () => {
    const { page, calls } = await open({
      path: '/alerts',
      answers: { 'GET /alerts': listOf([alert], true) },
    });
    await page.getByRole('table', { name: 'Alerts' }).waitFor();
    const lists = () => calls.filter(({ path }) => path.endsWith('/alerts'));
    expect(lists().map(({ query }) => query.get('limit'))).toEqual(['50']);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Previous page', disabled: false }).waitFor();
    expect(lists().map(({ query }) => query.get('cursor'))).toEqual([null, 'more']);
  });

  it('shows a hostile name as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: '/alerts?tab=rules',
      answers: { 'GET /alert-rules': listOf([{ ...rule, name }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('sends an amount as it was typed, to the nano', async () => {
    const { page, calls } = await open({ path: '/alerts?tab=rules&create=true' });
    const dialog = page.getByRole('dialog', { name: 'Create alert rule' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Spend');
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: 'Spend', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('10.000000001');
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Rule created.').waitFor();
    const sent = calls.find(({ method }) => method === 'POST')?.body ?? '';
    expect(JSON.parse(sent)).toMatchObject({
      metric: 'spend_nanos',
      threshold: 10_000_000_001,
      period: null,
    });
  });

  it('shows what the API refused at its field', async () => {
    const refused = {
      code: 'invalid_request',
      message: 'No such budget.',
      param: 'filter.model',
      retriable: false,
    };
    const { page } = await open({
      path: '/alerts?tab=rules&create=true',
      answers: { 'POST /alert-rules': { status: 400, body: { error: refused } } },
    });
    const dialog = page.getByRole('dialog', { name: 'Create alert rule' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Refused');
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('5');
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await dialog.getByText('No such budget.').waitFor();
  });

  it('offers nothing to a role that only reads', async () => {
    const permissions = ['org:read', 'alert:read'];
    const { page } = await open({ path: `/alerts/rules/${RULE}`, permissions });
    await page.getByRole('table', { name: 'Alerts of this rule' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Change|Mute|Send test|Delete)$/ }).count()).toBe(0);
    const other = await open({
      path: `/alerts/${ALERT}`,
      permissions,
      answers: { [`GET /alerts/${ALERT}`]: { body: alert } },
    });
    await other.page.getByRole('table', { name: 'Notifications' }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  });

  it('acknowledges what fires, and says why it cannot where it is resolved', async () => {
    const { page, calls } = await open({
      path: `/alerts/${ALERT}`,
      answers: { [`GET /alerts/${ALERT}`]: { body: alert } },
    });
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Alert acknowledged.').waitFor();
    expect(calls.some(({ path }) => path.endsWith(`/alerts/${ALERT}/acknowledge`))).toBe(true);
    const other = await open({
      path: `/alerts/${ALERT}`,
      answers: { [`GET /alerts/${ALERT}`]: { body: { ...alert, state: 'resolved' } } },
    });
    const button = other.page.getByRole('button', { name: 'Acknowledge' });
    expect(await button.getAttribute('aria-description')).toBe('The alert is resolved.');
  });

  it('says before it is saved how often a rule would have been reached, and sends how often it is told again', async () => {
    const usage = documentedExample('GET', `${BELOW}/usage`)?.body as { data: [object] };
    const hour = { ...usage.data[0], hour: '2026-11-20T09:00:00.000Z', requests: 1204, failed: 240 };
    const { page, calls } = await open({
      path: '/alerts?tab=rules&create=true',
      answers: { 'GET /usage': { body: { ...usage, data: [hour] } } },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Errors');
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('5');
    await dialog.getByText('Would have fired in about 1 hour of the last 7 days (UTC).').waitFor();
    await dialog.getByText('Peak: 19.93 %').waitFor();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    expect((await preview.getByRole('listitem').allInnerTexts()).slice(0, 3)).toEqual([
      'Fires when “Error rate” over 5 minutes is at or above 5 %.',
      'Emails Owner: severity Warning.',
      'Sends once.',
    ]);
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('50');
    await dialog.getByText('Would have fired in about 0 hours of the last 7 days (UTC).').waitFor();
    await dialog.getByRole('textbox', { name: 'Repeat every (hours)' }).fill('6');
    await preview.getByText('Sends again every 6 hours until somebody acknowledges the alert.').waitFor();
    await dialog.getByRole('combobox', { name: 'Key' }).fill('pro');
    await page.getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Rule created.').waitFor();
    const body = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/alert-rules'))?.body;
    expect(JSON.parse(body ?? '')).toMatchObject({
      repeat_seconds: 21_600,
      threshold: 5_000,
      filter: { api_key_id: expect.stringMatching(/^key_/) as string },
    });
  });
});

describePages('what alerts show of the moment', () => {
  const open = consoles();
  const member = exampleOf('/members') as { data: readonly [{ id: string; email: string }] };

  it('shows an alert that fires while the list is open', async () => {
    let fired: readonly object[] = [];
    const { page } = await open({
      path: '/alerts',
      now: '2026-11-20T10:00:01Z',
      answers: { 'GET /alerts': () => listOf(fired) },
    });
    await page.getByText('No alerts yet').waitFor();
    fired = [alert];
    await page.clock.runFor(30_000);
    await page.getByRole('table', { name: 'Alerts' }).getByText('Firing').waitFor();
  });

  it('names the member that a mail went to, and the integration that was told', async () => {
    const [{ id, email }] = member.data;
    const integrations = exampleOf('/integrations') as { data: readonly [{ id: string; name: string }] };
    const [integration] = integrations.data;
    const told = { status: 'sent', at: '2026-11-20T10:00:00.000Z', error: null };
    const notifications = [
      { ...told, channel: 'email', target: id },
      { ...told, channel: 'slack', target: integration.id },
    ];
    const { page } = await open({
      path: `/alerts/${ALERT}`,
      answers: { [`GET /alerts/${ALERT}`]: { body: { ...alert, notifications } } },
    });
    await page.getByText(email, { exact: true }).waitFor();
    await page.getByRole('link', { name: integration.name }).waitFor();
  });
});
