import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles, problemsOfState } from './stubbed-console';

const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const LIST = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny/keys';
const noPermission =
  'Your role, Viewer, cannot see API keys. Owners, security admins, developers, and viewers can.';

describePages('the page of keys', () => {
  describeStates({
    path: '/keys',
    reads: 'GET /keys',
    heading: 'Keys',
    shown: (page) => page.getByRole('table', { name: 'API keys' }).waitFor(),
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Create key' }).click(),
      (page) => page.getByRole('button', { name: 'State' }).click(),
    ],
  });
});

describePages('the table of keys', () => {
  const open = consoles();
  it('has all its columns in view at 1280 px, with long names, limits and times', async () => {
    const list = documentedExample('GET', LIST)?.body as { data: [object] };
    const usage = documentedExample('GET', LIST.replace('keys', 'usage'))?.body as { data: [object] };
    const key = {
      ...list.data[0],
      name: 'Nightly summaries of all tickets of the support team',
      last_used_at: '2026-11-20T09:30:39.000Z',
      expires_at: '2026-12-19T09:30:00.000Z',
      effective_rate_limit: { rpm: 12_000, tpm: 10_000_000 },
    };
    const { page } = await open({
      path: '/keys',
      now: '2026-11-20T09:31:00Z',
      answers: {
        'GET /keys': { body: { ...list, data: [key] } },
        'GET /usage': {
          body: {
            ...usage,
            data: [{ ...usage.data[0], api_key_id: KEY, customer_nanos: 12_345_678_900_000 }],
          },
        },
      },
    });
    const table = page.getByRole('table', { name: 'API keys' });
    await table.getByText('$12,345.68').first().waitFor();
    // A table that is too wide is in a region that scrolls, which is named as it is.
    expect(await page.getByRole('region', { name: 'API keys' }).count()).toBe(0);
    const { x = 0, width = 0 } = (await table.getByRole('columnheader').last().boundingBox()) ?? {};
    expect(x + width).toBeLessThan(1280);
  });
});

describePages('the page of one key', () => {
  describeStates({
    path: `/keys/${KEY}`,
    reads: `GET /keys/${KEY}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'Limits' }).waitFor(),
    noPermission,
    gone: 'This key was not found',
    overlays: [(page) => page.getByRole('button', { name: 'Revoke' }).click()],
  });
});

describePages('what the page of one key tells', () => {
  const open = consoles();
  const key = documentedExample('GET', `${LIST}/${KEY}`)?.body as object;
  const calls = documentedExample('GET', LIST.replace('keys', 'requests'))?.body as { data: [object] };
  const listOf = (data: readonly object[]) => ({ body: { ...calls, data } });
  const unused = { body: { ...key, last_used_at: null } };
  const now = '2026-11-20T09:31:00Z';

  it('tells a use that came after the page was opened, in the dialog that revokes', async () => {
    let newest: readonly object[] = [];
    const { page } = await open({
      path: `/keys/${KEY}`,
      now,
      answers: { [`GET /keys/${KEY}`]: unused, 'GET /requests': () => listOf(newest) },
    });
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Not used yet. Use is shown with a delay of up to a minute.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    newest = [{ ...calls.data[0], created_at: '2026-11-20T09:30:50.000Z' }];
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('Last used 10 sec ago.').waitFor();
  });

  it('names who created the key, and the key that it replaces', async () => {
    const [{ user_id: created_by, email }] = (
      documentedExample('GET', LIST.replace('keys', 'members'))?.body as {
        data: [{ user_id: string; email: string }];
      }
    ).data;
    const { page } = await open({
      path: `/keys/${KEY}`,
      answers: { [`GET /keys/${KEY}`]: { body: { ...key, created_by, replaces: KEY } } },
    });
    await page.getByText(email).first().waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Production' }).first().waitFor();
  });

  it('says what its policy takes away and from where it may be used, with a link to change it', async () => {
    const { page } = await open({ path: `/keys/${KEY}` });
    const policy = page.getByRole('region', { name: 'Policy' });
    await policy.getByText('At most 4,096 output tokens per call.').waitFor();
    await policy.getByText('At most $0.05 per call.').waitFor();
    await policy.getByRole('list', { name: 'Allowed addresses' }).getByText('192.0.2.0/24').waitFor();
    await policy.getByText(/fail as if the key were revoked/).waitFor();
    const link = policy.getByRole('link', { name: 'Open in Routing' });
    expect(await link.getAttribute('href')).toContain(`/routing?level=key&key=${KEY}`);
  });

  it('says that any address may use it, where no list is set, and has no policy for a role that may not read it', async () => {
    const unset = { allowed_ips: null, max_output_tokens: null, max_cost_nanos: null };
    const policy = documentedExample('GET', `${LIST}/${KEY}/policy`)?.body as object;
    const { page } = await open({
      path: `/keys/${KEY}`,
      answers: { [`GET /keys/${KEY}/policy`]: { body: { ...policy, ...unset } } },
    });
    await page.getByText('Any address').waitFor();
    await page.getByText(/^No key policy\./).waitFor();
    const other = await open({ path: `/keys/${KEY}`, permissions: ['org:read', 'key:read'] });
    await other.page.getByRole('heading', { name: 'Limits' }).waitFor();
    expect(await other.page.getByRole('region', { name: 'Policy' }).count()).toBe(0);
  });

  it('names its owner, or says that it has none', async () => {
    const { page } = await open({ path: `/keys/${KEY}` });
    await page.getByRole('main').getByRole('link', { name: 'ada@example.com' }).waitFor();
    const other = await open({
      path: `/keys/${KEY}`,
      answers: { [`GET /keys/${KEY}`]: { body: { ...key, member_id: null } } },
    });
    await other.page.getByText('Nobody', { exact: true }).waitFor();
  });

  it('says in words whose calls each budget counts that binds it', async () => {
    const budgets = documentedExample('GET', LIST.replace('keys', 'budgets'))?.body as { data: [object] };
    const each = { scope: 'end_user', scope_id: '*', period: 'week', spent_nanos: null };
    const amount = { amount_nanos: 5_000_000_000, amount_in_force_nanos: 5_000_000_000 };
    const { page } = await open({
      path: `/keys/${KEY}`,
      answers: {
        'GET /budgets': { body: { ...budgets, data: [{ ...budgets.data[0], ...each, ...amount }] } },
      },
    });
    const row = page.getByRole('table', { name: 'Budgets that apply' }).getByRole('row').last();
    await row.getByText('Each end user', { exact: true }).waitFor();
    await row.getByText('Up to $5.00 per week for each').waitFor();
    await row.getByText('One for each', { exact: true }).first().waitFor();
  });

  it('names the limit that all keys of the organization share', async () => {
    const { page } = await open({ path: `/keys/${KEY}` });
    const rates = page.getByRole('table', { name: 'Rate limits' });
    await rates.getByRole('row', { name: /^Requests .* 6,000$/ }).waitFor();
    await rates.getByRole('row', { name: /^Estimated tokens .* 10,000,000$/ }).waitFor();
  });
});

describePages('the list of keys', () => {
  const open = consoles();
  const [example] = (documentedExample('GET', LIST)?.body as { data: [{ id: string; name: string }] }).data;
  const listOf = (data: readonly object[], hasMore = false) => ({
    body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
  });

  it('says what a key is for, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/keys', answers: { 'GET /keys': listOf([]) } });
    await page.getByText('No keys yet').waitFor();
    await page.goto(page.url().replace(/\/keys.*/, '/keys?q=nothing'));
    await page.getByText('No keys match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No keys yet').waitFor();
  });

  it('reads the first page of 380,000 keys only, and the next when asked to', async () => {
    const { page, calls } = await open({ path: '/keys', answers: { 'GET /keys': listOf([example], true) } });
    await page.getByRole('link', { name: example.name }).waitFor();
    const lists = () => calls.filter(({ path }) => path.endsWith('/keys'));
    expect(lists().map(({ query }) => query.get('limit'))).toEqual(['50']);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Previous page', disabled: false }).waitFor();
    expect(lists().map(({ query }) => query.get('cursor'))).toEqual([null, 'more']);
  });

  it('shows a hostile name as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page, problems } = await open({
      path: '/keys',
      answers: { 'GET /keys': listOf([{ ...example, name }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('lists the keys that cost the most, of all keys, and the newest again', async () => {
    const usage = documentedExample('GET', LIST.replace('keys', 'usage'))?.body as { data: [object] };
    const ids = ['a', 'b', 'c'].map((end) => `key_06dpm2q4x8k3c0v9r7t5w1hz${end}y`);
    const spent = (id: string, nth: number) => ({
      ...usage.data[0],
      api_key_id: id,
      customer_nanos: (3 - nth) * 1_000_000_000,
    });
    // The API answers keys in its own order, and leaves out a call that no key made.
    const noKey = { ...usage.data[0], api_key_id: undefined, other: true };
    const { page, calls } = await open({
      path: '/keys?q=b&state=active',
      answers: {
        'GET /keys': listOf(
          ids.toReversed().map((id) => ({ ...example, id, name: `Key ${id.at(-2) ?? ''}` })),
        ),
        'GET /usage': { body: { ...usage, data: [...ids.map(spent), noKey] } },
      },
    });
    await page.getByRole('button', { name: 'Spend, 7 days' }).click();
    await page.getByText('The keys with the highest spend in the last 7 days (UTC), at most 50.').waitFor();
    const rows = page.getByRole('table', { name: 'API keys' }).getByRole('row');
    await rows.nth(1).getByText('Key a').waitFor();
    await rows.nth(3).getByText('Key c').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Spend, 7 days' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    const ranked = calls.findLast(({ path, query }) => path.endsWith('/usage') && query.has('top'));
    expect(ranked?.query.get('group_by')).toBe('api_key');
    expect(calls.findLast(({ path }) => path.endsWith('/keys'))?.query.get('ids')).toBe(ids.join(','));
    expect(new URL(page.url()).searchParams.has('q')).toBe(false);
    await page.getByRole('button', { name: 'Spend, 7 days' }).click();
    await rows.nth(1).getByText('Key c').waitFor();
    // A phone has no headers.
    await page.setViewportSize({ width: 375, height: 800 });
    await page.getByRole('link', { name: 'Highest spend' }).click();
    await rows.nth(1).getByText('Key a').waitFor();
    expect(await problemsOfState(page)).toEqual([]);
  });

  it('says where no key was used, and shows no spend to a role that may not know it', async () => {
    const usage = documentedExample('GET', LIST.replace('keys', 'usage'))?.body as object;
    const { page } = await open({
      path: '/keys?order=spend',
      answers: { 'GET /usage': { body: { ...usage, data: [] } } },
    });
    await page.getByText('No key was used in the last 7 days.').waitFor();
    const other = await open({ path: '/keys?order=spend', permissions: ['org:read', 'key:read'] });
    await other.page.getByRole('table', { name: 'API keys' }).waitFor();
    expect(await other.page.getByText('Spend, 7 days').count()).toBe(0);
    expect(other.calls.some(({ path }) => path.endsWith('/usage'))).toBe(false);
  });

  it('offers no key to a role that cannot create one, and no scope that the role lacks', async () => {
    const { page } = await open({ path: '/keys', permissions: ['org:read', 'key:read'] });
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    const other = await open({
      path: '/keys?create=true',
      permissions: ['org:read', 'key:read', 'key:create', 'inference:invoke', 'usage:read'],
    });
    await other.page.getByRole('radio', { name: 'Choose scopes' }).check();
    expect(await other.page.getByRole('checkbox').evaluateAll((boxes) => boxes.length)).toBe(5);
    expect(await other.page.getByRole('checkbox', { name: 'policy:write' }).count()).toBe(0);
  });

  it('shows what the API refused at its field', async () => {
    const refused = {
      code: 'permission_denied',
      message: 'You lack usage:read.',
      param: 'scopes',
      retriable: false,
    };
    const { page } = await open({
      path: '/keys?create=true',
      answers: { 'POST /keys': { status: 403, body: { error: refused } } },
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Refused');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('You lack usage:read.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Refused');
  });

  it('leaves alone what somebody types for an owner while the members are on their way', async () => {
    const members = documentedExample('GET', LIST.replace('keys', 'members'))?.body;
    const typed = Promise.withResolvers<undefined>();
    const { page } = await open({
      path: '/keys?create=true',
      answers: { 'GET /members': () => typed.promise.then(() => ({ body: members })) },
    });
    const owner = page.getByRole('dialog').getByRole('combobox', { name: 'Owner' });
    await owner.fill('ada');
    typed.resolve(undefined);
    await page.getByRole('option', { name: /ada@example.com/ }).click();
    expect(await owner.inputValue()).toBe('ada@example.com');
  });

  it('sends the policy and the owner of a new key, and shows at its field which address is none', async () => {
    const refused = {
      code: 'invalid_request',
      message: 'This is no address.',
      param: 'policy.allowed_ips[0]',
    };
    const { page, calls } = await open({
      path: '/keys?create=true',
      answers: { 'POST /keys': { status: 400, body: { error: { ...refused, retriable: false } } } },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Narrow');
    await dialog.getByRole('combobox', { name: 'Owner' }).fill('ada');
    await page.getByRole('option', { name: /ada@example.com/ }).click();
    await dialog.getByText('Restrict the key').click();
    await dialog.getByRole('textbox', { name: 'Max cost per call' }).fill('0.05');
    const models = dialog.getByRole('group', { name: 'Allowed models' });
    await models.getByRole('radio', { name: 'Only these…' }).check();
    await dialog.getByRole('combobox', { name: 'Add a model' }).fill('acme');
    await page.getByRole('option', { name: 'acme/small' }).click();
    const from = dialog.getByRole('group', { name: 'Allowed addresses' });
    await from.getByRole('radio', { name: 'Only these…' }).check();
    await dialog.getByRole('textbox', { name: 'Addresses and ranges' }).fill('nowhere\n192.0.2.0/24');
    expect(await problemsOfState(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('This is no address.').waitFor();
    const { body } = calls.find(({ method }) => method === 'POST') ?? {};
    expect(JSON.parse(body ?? '{}')).toMatchObject({
      member_id: 'mem_06dpm2q4x8k3c0v9r7t5w1hzny',
      policy: {
        allowed_models: ['acme/small'],
        max_cost_nanos: 50_000_000,
        allowed_ips: ['nowhere', '192.0.2.0/24'],
        require_end_user: false,
      },
    });
  });

  it('sends neither policy nor owner where none was chosen, and no amount that cannot be read', async () => {
    const { page, calls } = await open({ path: '/keys?create=true' });
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Plain');
    await dialog.getByText('Restrict the key').click();
    await dialog.getByRole('textbox', { name: 'Max cost per call' }).fill('much');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Write an amount in dollars').waitFor();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Max cost per call' }).fill('');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
    const { body } = calls.find(({ method }) => method === 'POST') ?? {};
    expect(Object.keys(JSON.parse(body ?? '{}') as object)).not.toContain('policy');
    expect(Object.keys(JSON.parse(body ?? '{}') as object)).not.toContain('member_id');
  });

  it('offers no owner to a role that may not write budgets', async () => {
    const { page } = await open({
      path: '/keys?create=true',
      permissions: ['org:read', 'key:read', 'key:create', 'inference:invoke'],
    });
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Owner' }).count()).toBe(0);
  });
});
