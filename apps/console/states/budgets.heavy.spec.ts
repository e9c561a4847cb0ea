import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

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
      (page) => page.getByRole('search').getByRole('button', { name: 'Binds key' }).click(),
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
      (page) => page.getByRole('button', { name: 'Change' }).click(),
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
    const said = 'Left: $8.12. A usual call holds $0.0020. Refused 40 calls in 24 hours, the last 3 min ago.';
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
    await page.getByText('Up to $10.00 in each session').waitFor();
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
    await dialog.getByText('Write an amount above zero.').waitFor();
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
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In 2 of the last 3 months this would have blocked.').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('15');
    await dialog.getByText('In 1 of the last 3 months this would have blocked.').waitFor();
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
    await dialog.getByText('Reading what it would have done').waitFor();
    const button = dialog.getByRole('button', { name: 'Create budget' });
    const before = await button.boundingBox();
    released.resolve(undefined);
    await dialog.getByText(/of the last 6 months this would have blocked/).waitFor();
    expect(await button.boundingBox()).toEqual(before);
  });

  it('says that it is not known what a budget would have done, where the usage cannot be read', async () => {
    const error = { code: 'invalid_request', message: 'Not now.', retriable: false };
    const { page } = await open({
      path: '/budgets?create=true',
      answers: { 'GET /usage': { status: 400, body: { error } } },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Set scope and amount').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('10');
    await dialog.getByText('usage was not read').waitFor();
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
