import { type Page } from 'playwright-core';
import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const example = (documentedExample('GET', `${BELOW}/audit-log`)?.body as { data: [object] }).data[0];
const listOf = (data: readonly object[], next: string | null = null) => ({
  body: { object: 'list', data, has_more: next !== null, next_cursor: next },
});

const rowOf = (path: string): Record<string, unknown> =>
  (documentedExample('GET', BELOW + path)?.body as { data: [Record<string, unknown>] }).data[0];

/** Opens the first entry, if it is not. */
const opened = async (page: Page) => {
  const entry = page.locator('details').first();
  if ((await entry.getAttribute('open')) === null) await entry.locator('summary').click();
};

describePages('the page of the audit log', () => {
  describeStates({
    path: '/audit',
    reads: 'GET /audit-log',
    heading: 'Audit log',
    shown: (page) => page.getByRole('table', { name: 'Audit entries' }).waitFor(),
    noPermission: 'Your role, Viewer, cannot see the audit log. Owners and security admins can.',
    overlays: [(page) => page.getByRole('button', { name: 'Action' }).click()],
  });
});

describePages('the list of audit entries', () => {
  const open = consoles();

  it('says what happened in words, with the values before and after', async () => {
    const { page } = await open({ path: '/audit' });
    await page
      .getByText('ada@example.com raised requests per minute of key Billing from 600 to 1,200')
      .waitFor();
    await opened(page);
    await page.getByText('requests per minute: 600 → 1,200').waitFor();
  });

  it('says what it is for, where nothing was changed, and that nothing matches a filter', async () => {
    const { page } = await open({ path: '/audit', answers: { 'GET /audit-log': listOf([]) } });
    await page.getByText('No changes yet').waitFor();
    await page.goto(page.url().replace(/\/audit.*/, '/audit?action=api_key.*'));
    await page.getByText('No audit entries match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No changes yet').waitFor();
  });

  it('says how far a bounded search has looked', async () => {
    const { page } = await open({ path: '/audit', answers: { 'GET /audit-log': listOf([], 'more') } });
    await page.getByText('Searched to an earlier time.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
  });

  it('leads from a target that has no page of its own to the list that has it', async () => {
    const targets = [
      { type: 'export', id: 'exp_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/exports/ },
      { type: 'invitation', id: 'inv_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/members\?.*tab=invitations/ },
      { type: 'payment', id: 'pay_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/wallet\?.*tab=payments/ },
      { type: 'payment_method', id: 'pm_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/wallet\?.*tab=auto-top-up/ },
      { type: 'auto_top_up', id: 'org_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/wallet\?.*tab=auto-top-up/ },
      { type: 'integration', id: 'int_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/integrations\/int_/ },
      { type: 'webhook_endpoint', id: 'whe_06dpm2q4x8k3c0v9r7t5w1hzny', href: /\/webhooks\/whe_/ },
    ];
    const entries = targets.map(({ type, id }) => ({
      ...example,
      id: `aud_${id}`,
      target: { type, id, label: type },
    }));
    const { page } = await open({ path: '/audit', answers: { 'GET /audit-log': listOf(entries) } });
    const rows = page.getByRole('table', { name: 'Audit entries' });
    for (const { type, href } of targets) {
      const link = rows.getByRole('link', { name: new RegExp(`${type}$`) }).first();
      expect(await link.getAttribute('href')).toMatch(href);
    }
  });

  it('filters by what is clicked and by what is typed, and refuses what is no action', async () => {
    const { page, calls } = await open({ path: '/audit' });
    const last = () => calls.filter(({ path }) => path.endsWith('/audit-log')).at(-1)?.query;
    await opened(page);
    await page.getByRole('link', { name: 'api_key.update' }).click();
    await page.waitForURL((url) => url.searchParams.get('action') === 'api_key.update');
    await opened(page);
    await page.getByRole('link', { name: 'Only this target' }).click();
    await page.waitForURL((url) => url.searchParams.get('target') === KEY);
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.waitForURL((url) => url.searchParams.has('actor'));
    await page.waitForLoadState('networkidle');
    expect(last()?.get('target_id')).toBe(KEY);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('button', { name: 'Action' }).click();
    const action = page.getByRole('textbox', { name: 'Action' });
    await action.fill('everything');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('This value is not valid.').waitFor();
    await action.fill('api_key.*');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('action') === 'api_key.*');
  });

  it('filters by members, keys and other things by their names, and shows the names', async () => {
    const member: Record<string, unknown> = { ...rowOf('/members'), email: 'ada@example.com' };
    const { page, calls } = await open({
      path: '/audit',
      answers: {
        'GET /members': listOf([member]),
        'GET /keys': listOf([{ ...rowOf('/keys'), id: KEY, name: 'Initech production' }]),
        'GET /audit-log': ({ query }) => (query.has('actor_id') ? listOf([]) : listOf([example])),
      },
    });
    await page.getByRole('button', { name: 'Target' }).click();
    await page.getByRole('combobox', { name: 'Target' }).fill('initech');
    await page.getByRole('option', { name: /^Initech production/ }).click();
    await page.waitForURL((url) => url.searchParams.get('target') === KEY);
    await page.getByRole('button', { name: 'Target: Initech production' }).waitFor();
    await page.getByRole('button', { name: 'Who' }).click();
    await page.getByRole('combobox', { name: 'Who' }).fill('ada');
    await page.getByRole('option', { name: /^ada@example\.com/ }).click();
    await page.waitForURL((url) => url.searchParams.get('actor') === member['user_id']);
    await page.getByText('No audit entries match these filters.').waitFor();
    await page.getByRole('button', { name: 'Who: ada@example.com' }).waitFor();
    const last = calls.findLast(({ path }) => path.endsWith('/audit-log'))?.query;
    expect([last?.get('actor_id'), last?.get('target_id')]).toEqual([member['user_id'], KEY]);
  });

  it('takes an id that is pasted', async () => {
    const app = 'oapp_06dpm2q4x8k3c0v9r7t5w1hzny';
    const { page } = await open({ path: '/audit' });
    await page.getByRole('button', { name: 'Who' }).click();
    await page.getByRole('combobox', { name: 'Who' }).fill(app);
    await page.getByRole('option').first().click();
    await page.waitForURL((url) => url.searchParams.get('actor') === app);
  });

  it('shows hostile names and values as plain text', async () => {
    const label = '<img src=x onerror="document.title=1">\u202e';
    const hostile = {
      ...example,
      actor: { type: 'api_key', id: KEY, label },
      target: { type: 'project', id: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny', label },
      action: 'project.update',
      changes: { name: { from: label, to: 'javascript:alert(1)' } },
    };
    const { page } = await open({ path: '/audit', answers: { 'GET /audit-log': listOf([hostile]) } });
    await page.getByText(/⟨U\+202E⟩ renamed project/).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('link', { name: /javascript:/ }).count()).toBe(0);
  });
});
