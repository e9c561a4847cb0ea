import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages, problemsOfLook } from './stubbed-console';

const BUDGET = 'bud_06dpm2q4x8k3c0v9r7t5w1hzny';
const LIST = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny/budgets';
const noPermission = 'Your role, Viewer, cannot see budgets.';
const [example] = (documentedExample('GET', LIST)?.body as { data: [Record<string, unknown>] }).data;
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});
const spentOf = (spent: number, change: object = {}) => ({
  ...example,
  name: 'All calls',
  period: 'month',
  amount_nanos: 10_000_000_000,
  amount_in_force_nanos: 10_000_000_000,
  warn_at_bps: 8_000,
  action: 'block',
  enabled: true,
  spent_nanos: spent,
  resets_at: '2026-12-01T00:00:00.000Z',
  ...change,
});

describePages('the page of budgets', () => {
  describeStates({
    path: '/budgets',
    reads: 'GET /budgets',
    heading: 'Budgets',
    shown: (page) => page.getByRole('table', { name: 'Budgets' }).waitFor(),
    noPermission: new RegExp(noPermission),
    overlays: [
      (page) => page.getByRole('button', { name: 'Create budget' }).click(),
      (page) => page.getByRole('search').getByRole('button', { name: 'Applies to key' }).click(),
    ],
  });
});

describePages('the page of one budget', () => {
  describeStates({
    path: `/budgets/${BUDGET}`,
    reads: `GET /budgets/${BUDGET}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'Past periods' }).waitFor(),
    noPermission: new RegExp(noPermission),
    gone: 'This budget was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Edit' }).click(),
      (page) => page.getByRole('button', { name: 'Temporary amount…' }).click(),
      (page) => page.getByRole('button', { name: 'Delete' }).click(),
    ],
  });
});

describePages('what budgets show', () => {
  const open = consoles();

  it('says what a budget is for, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/budgets', answers: { 'GET /budgets': listOf([]) } });
    await page.getByText('No budgets yet').waitFor();
    await page.goto(page.url().replace(/\/budgets.*/, '/budgets?enabled=false'));
    await page.getByText('No budgets match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No budgets yet').waitFor();
  });

  it('says what was spent, from when it warns and when it starts again', async () => {
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      now: '2026-11-23T00:00:00Z',
      answers: { [`GET /budgets/${BUDGET}`]: { body: spentOf(8_250_000_000) } },
    });
    await page.getByText('Spent $8.25 of $10.00 (82.5 %)').waitFor();
    await page.getByText(/warns at 80 %, blocks at 100 %/).waitFor();
    await page.getByText(/1 Dec 00:00 UTC \(in 8 days\)/).waitFor();
    await page.getByText(/at this pace reached/).waitFor();
    await page.getByText('27 Nov', { exact: false }).first().waitFor();
    await page.getByText('Warning', { exact: true }).waitFor();
  });

  it('says that it blocks calls, and neither for one that is disabled nor for one that only warns', async () => {
    const { page } = await open({
      path: '/budgets',
      answers: {
        'GET /budgets': listOf([
          spentOf(10_000_000_000, { id: `${BUDGET.slice(0, -1)}a`, name: 'Blocks' }),
          spentOf(20_000_000_000, { id: `${BUDGET.slice(0, -1)}b`, name: 'Off', enabled: false }),
          spentOf(20_000_000_000, { id: `${BUDGET.slice(0, -1)}c`, name: 'Tells', action: 'warn' }),
        ]),
      },
    });
    await page.getByRole('row', { name: /^Blocks.*Blocking calls/ }).waitFor();
    await page.getByRole('row', { name: /^Off.*Disabled/ }).waitFor();
    await page.getByRole('row', { name: /^Tells.*Over/ }).waitFor();
    expect(await page.getByText('Blocking calls').count()).toBe(1);
  });

  it('says that it blocks calls as soon as it refuses them, what is left and what a usual call holds', async () => {
    const refusals = {
      ...(documentedExample('GET', LIST.replace('budgets', 'usage/refusals'))?.body as { data: [object] }),
    };
    const last_message = `The budget "All calls" (${BUDGET}) has too little left for this call.`;
    const refusal = { ...refusals.data[0], count: 40, last_at: '2026-11-23T09:00:00.000Z', last_message };
    const answers = {
      'GET /budgets': listOf([spentOf(1_880_000_000)]),
      [`GET /budgets/${BUDGET}`]: { body: spentOf(1_880_000_000) },
      'GET /usage/refusals': { body: { ...refusals, data: [refusal] } },
    };
    const now = '2026-11-23T09:03:00Z';
    const said =
      'Left: $8.12. A typical call holds $0.0020. Refused 40 calls in the last 24 hours, the latest 3 min ago.';
    const { page } = await open({ path: '/budgets', now, answers });
    await page.getByRole('row', { name: /^All calls.*Blocking calls/ }).waitFor();
    await page.getByRole('row').getByText(said).waitFor();
    await page.getByRole('link', { name: 'All calls' }).click();
    await page.getByRole('heading', { name: 'Past periods' }).waitFor();
    await page.getByText('Blocking calls', { exact: true }).waitFor();
    await page.getByText(said).waitFor();
  });

  it('shows no bar for a budget of sessions', async () => {
    const session = spentOf(0, { period: 'session', spent_nanos: null, resets_at: null });
    const { page } = await open({ path: '/budgets', answers: { 'GET /budgets': listOf([session]) } });
    await page.getByText('Up to $10.00 per session').waitFor();
    expect(await page.getByRole('meter').count()).toBe(0);
  });

  it('sends an amount with all its decimals, and keeps what was typed when it is refused', async () => {
    const error = { code: 'invalid_request', message: 'There is no such project.', param: 'scope_id' };
    const { page, calls } = await open({
      path: '/budgets?create=true',
      answers: { 'POST /budgets': { status: 400, body: { error: { ...error, retriable: false } } } },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await dialog.getByText('Give it a name.').waitFor();
    await dialog.getByText('Enter an amount above $0.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All calls');
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('10.000000001');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await dialog.getByText('There is no such project.').waitFor();
    expect(calls.find(({ method }) => method === 'POST')?.body).toContain('"amount_nanos":10000000001');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('All calls');
  });

  it('closes once the budget was created, and asks nothing', async () => {
    const { page } = await open({ path: '/budgets?create=true' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All calls');
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('10');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  it('says what a budget would have done before it is saved', async () => {
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      now: '2026-11-23T00:00:00Z',
      answers: {
        [`GET /budgets/${BUDGET}`]: { body: spentOf(1) },
        [`GET /budgets/${BUDGET}/periods`]: listOf(
          [11, 10, 9, 8].map((month, place) => ({
            start: `2026-${String(month).padStart(2, '0')}-01`,
            end: `2026-${String(month + 1).padStart(2, '0')}-01`,
            spent_nanos: place * 5_000_000_000,
          })),
        ),
      },
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Would have blocked in 2 of the last 3 months.').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('15');
    await dialog.getByText('Would have blocked in 1 of the last 3 months.').waitFor();
  });

  it('moves no button from under the pointer when what a budget would have done is known', async () => {
    const released = Promise.withResolvers<undefined>();
    const usage = documentedExample('GET', LIST.replace('budgets', 'usage'));
    const { page } = await open({
      path: '/budgets?create=true',
      answers: { 'GET /usage': () => released.promise.then(() => ({ body: usage?.body })) },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('10');
    await dialog.getByText('Loading the preview…').waitFor();
    const button = dialog.getByRole('button', { name: 'Create budget' });
    const before = await button.boundingBox();
    released.resolve(undefined);
    await dialog.getByText(/have blocked in .*the last 6 months/).waitFor();
    expect(await button.boundingBox()).toEqual(before);
  });

  it('says that it is not known what a budget would have done, where the usage cannot be read', async () => {
    const error = { code: 'invalid_request', message: 'Not now.', retriable: false };
    const { page } = await open({
      path: '/budgets?create=true',
      answers: { 'GET /usage': { status: 400, body: { error } } },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Choose a scope and an amount for a preview.').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('10');
    await dialog.getByText('Could not load usage for the preview.').waitFor();
  });

  it('offers nothing to change to a role that cannot', async () => {
    const permissions = ['org:read', 'budget:read'];
    const { page } = await open({ path: `/budgets/${BUDGET}`, permissions });
    await page.getByRole('heading', { name: 'Past periods' }).waitFor();
    expect(await page.getByRole('button', { name: /Change|Delete|Disable/ }).count()).toBe(0);
  });

  it('shows a hostile name as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: '/budgets',
      answers: { 'GET /budgets': listOf([spentOf(1, { name })]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});

const PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
const ANA = 'eu_06dpm2q4x8k3c0v9r7t5w1hzny';
const BEN = 'eu_06dpm2q4x8k3c0v9r7t5w1hzn0';
const projects = documentedExample('GET', LIST.replace('budgets', 'projects'))?.body as { data: [object] };
const shop = listOf([{ ...projects.data[0], id: PROJECT, name: 'Shop' }]);
const eachOf = (change: object = {}) =>
  spentOf(0, {
    name: 'Customers',
    scope: 'end_user',
    scope_id: '*',
    project_id: PROJECT,
    period: 'week',
    amount_nanos: 5_000_000_000,
    amount_in_force_nanos: 5_000_000_000,
    spent_nanos: null,
    resets_at: '2026-11-30T00:00:00.000Z',
    ...change,
  });
const spending = (scope_id: string, name: string | null, spent: number, change: object = {}) => ({
  scope_id,
  name,
  session_id: null,
  spent_nanos: spent,
  reserved_nanos: 250_000_000,
  consumed_bps: spent / 500_000,
  ...change,
});
const ofEach = (spends: readonly object[], change: object = {}) => ({
  'GET /projects': shop,
  [`GET /budgets/${BUDGET}`]: { body: eachOf(change) },
  [`GET /budgets/${BUDGET}/spends`]: listOf(spends),
});

describePages('budgets that give each an amount', () => {
  const open = consoles();

  it('say so in words in the list, without a bar', async () => {
    const { page } = await open({
      path: '/budgets',
      answers: { 'GET /projects': shop, 'GET /budgets': listOf([eachOf()]) },
    });
    const row = page.getByRole('row', { name: /Each end user of project Shop: \$5\.00 per week/ });
    await row.getByText('Up to $5.00 per week for each').waitFor();
    await row.getByText('One for each', { exact: true }).waitFor();
    expect(await page.getByRole('meter').count()).toBe(0);
  });

  it('list who spent most in the order of the API, each with a link to the calls', async () => {
    const { page, calls } = await open({
      path: `/budgets/${BUDGET}`,
      answers: ofEach([spending(ANA, 'ana@example.com', 4_100_000_000), spending(BEN, null, 1_000_000_000)]),
    });
    await page.getByText('Highest: ana@example.com, $4.10 of $5.00 (82 %).').waitFor();
    const table = page.getByRole('table', { name: 'Top spenders' });
    await table.getByRole('row', { name: /^ana@example\.com .* \$4\.10 \$0\.2500 82 %/ }).waitFor();
    await table.getByRole('row', { name: /^eu_06dp…w1hzn0/ }).waitFor();
    expect(await page.getByRole('meter').count()).toBe(0);
    expect(calls.some(({ path }) => path.endsWith('/periods'))).toBe(false);
    await table.getByRole('link', { name: 'ana@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('end_user'), searchParams.get('project')]).toEqual([ANA, PROJECT]);
    expect(searchParams.get('after')).toBe('2026-11-23T00:00:00.000Z');
  });

  it('show the past periods of the one that is chosen, in the address too', async () => {
    const { page, calls } = await open({
      path: `/budgets/${BUDGET}`,
      answers: ofEach([spending(ANA, 'ana@example.com', 4_100_000_000)]),
    });
    await page.getByText('Choose who in the list above to see past periods.').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('table', { name: 'Spend by period' }).waitFor();
    expect(new URL(page.url()).searchParams.get('whose')).toBe(ANA);
    const asked = calls.filter(({ path }) => path.endsWith('/periods'));
    expect(asked.map(({ query }) => query.get('scope_id'))).toEqual([ANA]);
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear Find' }).click();
    await page.getByText('Choose who in the list above to see past periods.').waitFor();
  });

  it('find somebody by the name, who may have spent nothing', async () => {
    const { page, calls } = await open({
      path: `/budgets/${BUDGET}`,
      answers: ofEach([spending(ANA, 'ana@example.com', 0)]),
    });
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('combobox', { name: 'Find' }).fill('ana@example.com');
    await page.getByRole('option', { name: 'ana@example.com' }).last().click();
    await page.getByText('For ana@example.com.').waitFor();
    const asked = calls.filter(({ path, query }) => path.endsWith('/spends') && query.has('scope_id'));
    expect(asked.map(({ query }) => query.get('scope_id'))).toEqual(['ana@example.com']);
  });

  it('show a thousand by pages, and say that there may be more', async () => {
    const many = Array.from({ length: 1_000 }, (_, nth) =>
      spending(`eu_${String(nth).padStart(26, '0')}`, `user ${String(nth)}`, 5_000_000_000 - nth),
    );
    const { page } = await open({ path: `/budgets/${BUDGET}`, answers: ofEach(many) });
    const table = page.getByRole('table', { name: 'Top spenders' });
    await table.getByText('user 49', { exact: true }).waitFor();
    expect(await table.getByText('user 50', { exact: true }).count()).toBe(0);
    await page.getByText('Showing the top 1,000.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await table.getByText('user 50', { exact: true }).waitFor();
  });

  it('list the sessions of each, and no past periods', async () => {
    const session = spending(ANA, 'ana@example.com', 1_000_000_000, { session_id: 'chat-7' });
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      answers: ofEach([session], { period: 'session', resets_at: null }),
    });
    await page.getByRole('table', { name: 'Top sessions' }).getByText('chat-7').waitFor();
    await page.getByText('Session budgets have no periods.', { exact: false }).waitFor();
  });

  it('say that nobody has spent anything yet', async () => {
    const { page } = await open({ path: `/budgets/${BUDGET}`, answers: ofEach([]) });
    await page.getByText('No spend in this period yet.').waitFor();
    await page.getByText('No spend in this period.').waitFor();
  });

  it('show a hostile name as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({ path: `/budgets/${BUDGET}`, answers: ofEach([spending(ANA, name, 1)]) });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});

describePages('the form of a budget', () => {
  const open = consoles();
  const bodyOf = (calls: readonly { method: string; body: string | null }[]) =>
    JSON.parse(calls.find(({ method }) => method === 'POST')?.body ?? '{}') as Record<string, unknown>;

  it('gives each end user of a project an amount, and tells nothing that the API cannot', async () => {
    const { page, calls } = await open({ path: '/budgets?create=true', answers: { 'GET /projects': shop } });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Choose a scope and an amount for a preview.').waitFor();
    await dialog.getByRole('radio', { name: 'End user' }).first().check();
    expect(await dialog.getByRole('radio', { name: 'Each end user' }).isChecked()).toBe(true);
    expect(await dialog.getByText('Choose a scope and an amount for a preview.').count()).toBe(0);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Customers');
    await dialog.getByRole('combobox', { name: 'Only calls of project' }).fill('Shop');
    await page.getByRole('option', { name: /Shop/ }).click();
    await dialog.getByRole('radio', { name: 'Week' }).check();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('5');
    expect(await problemsOfLook(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    expect(bodyOf(calls)).toMatchObject({
      scope: 'end_user',
      scope_id: '*',
      project_id: PROJECT,
      period: 'week',
      amount_nanos: 5_000_000_000,
    });
  });

  it('names one end user by what calls give, and asks for nothing while it is typed', async () => {
    const { page, calls } = await open({ path: '/budgets?create=true' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'End user' }).first().check();
    await dialog.getByRole('radio', { name: 'One end user' }).check();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Ana');
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('5');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await dialog.getByText('Choose who it applies to.').waitFor();
    await dialog.getByRole('combobox', { name: 'End user' }).pressSequentially('customer-4711');
    await page.keyboard.press('Tab');
    await dialog.getByText(/have blocked in .*the last 6 months/).waitFor();
    const asked = calls.filter(({ path, query }) => path.endsWith('/usage') && query.has('end_user'));
    expect(new Set(asked.map(({ query }) => query.get('end_user')))).toEqual(new Set(['customer-4711']));
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    expect(bodyOf(calls)).toMatchObject({ scope: 'end_user', scope_id: 'customer-4711' });
  });

  it('names a model that the catalog does not list', async () => {
    const { page, calls } = await open({ path: '/budgets?create=true' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Model' }).first().check();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Of tomorrow');
    await dialog.getByRole('combobox', { name: 'Model' }).fill('acme/tomorrow');
    await page.getByRole('option', { name: 'acme/tomorrow' }).click();
    await dialog.getByRole('radio', { name: 'Quarter' }).check();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('5');
    await dialog.getByText(/have blocked in .*the last 4 quarters/).waitFor();
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    expect(bodyOf(calls)).toMatchObject({ scope: 'model', scope_id: 'acme/tomorrow', period: 'quarter' });
  });

  it('takes the id of a member from a role that cannot read members', async () => {
    const permissions = ['org:read', 'usage:read', 'budget:read', 'budget:write'];
    const { page } = await open({ path: '/budgets?create=true', permissions });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Member' }).first().check();
    await dialog.getByRole('textbox', { name: 'Member' }).waitFor();
    expect(await dialog.getByText(/would have/i).count()).toBe(0);
  });
});

describePages('another amount for a while', () => {
  const open = consoles();
  const now = '2026-11-23T00:00:00Z';
  const raised = {
    amount_in_force_nanos: 20_000_000_000,
    override: { amount_nanos: 20_000_000_000, until: '2026-11-28T12:00:00.000Z', reason: 'Launch week' },
  };

  it('is what the bar compares with, and says until when and why', async () => {
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      now,
      answers: { [`GET /budgets/${BUDGET}`]: { body: spentOf(12_000_000_000, raised) } },
    });
    await page.getByText('Spent $12.00 of $20.00 (60 %)').waitFor();
    await page
      .getByText('Temporary amount until 28 Nov 2026, 12:00:00 UTC: $20.00 instead of $10.00.')
      .waitFor();
    await page.getByText('Reason: Launch week').waitFor();
    await page.getByText('OK', { exact: true }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('has ended, which is told until it is removed', async () => {
    const ended = { override: { ...raised.override, until: '2026-11-22T12:00:00.000Z' } };
    const { page, calls } = await open({
      path: `/budgets/${BUDGET}`,
      now,
      answers: { [`GET /budgets/${BUDGET}`]: { body: spentOf(2_000_000_000, ended) } },
    });
    await page.getByText('The temporary amount of $20.00 ended 22 Nov 2026, 12:00:00 UTC.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Temporary amount removed.').waitFor();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toBe('{"override":null}');
  });

  it('is set with its end by the clock of the reader, and shows what is refused at its field', async () => {
    const error = {
      code: 'invalid_request',
      message: 'override.until: must be in the future.',
      retriable: false,
    };
    const { page, calls } = await open({
      path: `/budgets/${BUDGET}`,
      now,
      timezone: 'Asia/Tokyo',
      answers: {
        [`GET /budgets/${BUDGET}`]: { body: spentOf(1) },
        [`PATCH /budgets/${BUDGET}`]: { status: 400, body: { error: { ...error, param: 'override.until' } } },
      },
    });
    await page.getByRole('button', { name: 'Temporary amount…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Replaces $10.00', { exact: false }).waitFor();
    await dialog.getByText(/^Time zone: GMT\+9\./).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an amount.').waitFor();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('20.000000001');
    await dialog.getByLabel('Until').fill('2026-11-28T21:00');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Launch week');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('override.until: must be in the future.').waitFor();
    expect(await dialog.getByLabel('Until').getAttribute('aria-invalid')).toBe('true');
    const override =
      '{"override":{"amount_nanos":20000000001,"until":"2026-11-28T12:00:00.000Z","reason":"Launch week"}}';
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toBe(override);
  });

  it('waits for approval where a policy holds it', async () => {
    const error = {
      code: 'approval_required',
      message: 'It waits.',
      retriable: false,
      approval_request_id: 'apr_06dpm2q4x8k3c0v9r7t5w1hzny',
    };
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      answers: { [`PATCH /budgets/${BUDGET}`]: { status: 400, body: { error } } },
    });
    await page.getByRole('button', { name: 'Temporary amount…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('20');
    await dialog.getByLabel('Until').fill('2099-11-28T21:00');
    await dialog.getByRole('textbox', { name: 'Reason', exact: true }).fill('Launch week');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Waits for approval', { exact: true }).waitFor();
  });

  it('is shown without a button to a role that cannot change it', async () => {
    const permissions = ['org:read', 'budget:read'];
    const { page } = await open({
      path: `/budgets/${BUDGET}`,
      now,
      permissions,
      answers: { [`GET /budgets/${BUDGET}`]: { body: spentOf(12_000_000_000, raised) } },
    });
    await page.getByText('Reason: Launch week').waitFor();
    expect(await page.getByRole('button', { name: /Raise|Remove/ }).count()).toBe(0);
  });
});
