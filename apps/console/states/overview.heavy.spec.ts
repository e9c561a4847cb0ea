import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { type StubbedCall } from './stub-server';
import { problemsOfLook, describePages, consoles, type Stub, type StubbedOptions } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const GROUPS = 10_000;
const DAYS = 30;
const NODES_MAX = 3_000;
interface Usage {
  readonly data: readonly [Record<string, unknown>];
  readonly total: Record<string, unknown>;
}
const usage = documentedExample('GET', `${BELOW}/usage`)?.body as Usage;
const [row] = usage.data;

/** Rows of as many models as asked for, on the day of the call, with what of them the query groups by. */
const usageOf =
  (models: number, calls = 1) =>
  ({ query }: StubbedCall) => {
    const groups = (query.get('group_by') ?? '').split(',');
    const top = Number(query.get('top') ?? models);
    const today = new Date().toISOString().slice(0, 10);
    const named = groups.includes('model') ? Math.min(models, top) : 1;
    const place = {
      day: groups.includes('day') ? today : undefined,
      hour: groups.includes('hour') ? `${today}T00:00:00.000Z` : undefined,
    };
    const data = Array.from({ length: calls === 0 ? 0 : named }, (_, nth) => ({
      ...row,
      ...place,
      model: `${HOSTILE}/${String(nth)}`,
      other: undefined,
    }));
    const other = named < models ? [{ ...row, ...place, model: undefined, other: true }] : [];
    return {
      body: {
        ...usage,
        data: [...data, ...other],
        total: calls === 0 ? { ...usage.total, requests: 0, failed: 0, customer_nanos: 0 } : usage.total,
      },
    };
  };

const shown = (models = 2): NonNullable<StubbedOptions['answers']> => ({ 'GET /usage': usageOf(models) });

describePages('the overview', () => {
  describeStates({
    path: '/',
    reads: 'GET /usage',
    heading: 'Overview',
    shown: (page) => page.getByRole('table', { name: 'Usage by model' }).waitFor(),
    noPermission:
      'Your role, Viewer, cannot see what calls cost. Owners, security admins, developers, finance members, and viewers can.',
    answers: shown(),
    overlays: [
      (page) => page.getByRole('button', { name: 'Show as table' }).first().click(),
      (page) => page.getByRole('combobox', { name: 'Group by' }).click(),
    ],
  });
});

describePages('the overview of calls', () => {
  const open = consoles();

  it('leads to the first call where there has never been one', async () => {
    const answers = {
      'GET /usage': usageOf(1, 0),
      'GET /requests': { body: { object: 'list', data: [], has_more: false, next_cursor: null } },
    };
    const { page } = await open({ answers });
    await page.getByRole('heading', { level: 1, name: 'Make your first call' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/start');
  });

  it('stays with an empty period where there were calls before', async () => {
    const { page } = await open({ path: '/?period=today', answers: { 'GET /usage': usageOf(1, 0) } });
    await page.getByText('No calls in this period.').waitFor();
    await page.getByText('Nothing was spent today.').waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('shows 10,000 groups by pages, within 3,000 nodes', async () => {
    const { page } = await open({ answers: shown(GROUPS) });
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Next page' }).waitFor();
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(NODES_MAX);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Previous page', disabled: false }).waitFor();
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(NODES_MAX);
  });

  it.each([
    ['Pacific/Kiritimati', '2026-11-22T09:59:00Z', '2026-11-22'],
    ['Pacific/Kiritimati', '2026-11-22T10:01:00Z', '2026-11-22'],
    ['Pacific/Kiritimati', '2026-11-23T00:01:00Z', '2026-11-23'],
    ['Pacific/Pago_Pago', '2026-11-22T23:59:00Z', '2026-11-22'],
    ['Pacific/Pago_Pago', '2026-11-23T00:01:00Z', '2026-11-23'],
    ['Pacific/Pago_Pago', '2026-11-23T10:59:00Z', '2026-11-23'],
  ])('asks in %s at %s for the UTC day %s', async (timezone, now, day) => {
    const { page, calls } = await open({
      path: '/?period=today',
      timezone,
      now,
      answers: shown(),
    });
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    const asked = calls.find(
      ({ path, query }) => path.endsWith('/usage') && query.get('group_by') === 'model',
    );
    expect(asked?.query.get('start')).toBe(`${day}T00:00:00.000Z`);
  });

  it('asks for 30 days and ten models without an address, and of the log of requests for the last failed calls alone', async () => {
    const { page, calls } = await open({ answers: shown() });
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    const series = calls.find(({ query }) => query.get('group_by') === 'day,model');
    expect(series?.query.get('top')).toBe('10');
    const [start, end] = ['start', 'end'].map((name) => Date.parse(series?.query.get(name) ?? ''));
    expect(((end ?? 0) - (start ?? 0)) / 86_400_000).toBe(DAYS);
    await page.getByRole('table', { name: 'Last failed calls' }).waitFor();
    const logged = calls.filter(({ path }) => path.endsWith('/requests'));
    expect(logged.map(({ query }) => [query.get('failed'), query.get('limit')])).toEqual([['true', '5']]);
  });

  it('shows the day of the calls until its hours are summed', async () => {
    const usage: Stub = (call) => {
      const isByHour = call.query.get('group_by')?.startsWith('hour') === true;
      return usageOf(2, isByHour ? 0 : 1)(call);
    };
    const { page } = await open({ answers: { 'GET /usage': usage } });
    await page.getByRole('region', { name: 'Spend by day' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('region', { name: 'Spend by hour' }).count()).toBe(0);
  });

  it('shows hours where today alone of 30 days has calls, and days where others have', async () => {
    const { page, calls } = await open({ answers: shown() });
    await page
      .getByRole('figure', { name: 'Spend by hour' })
      .or(page.getByRole('region', { name: 'Spend by hour' }))
      .first()
      .waitFor();
    await page.getByText('Only today (UTC) has calls: by the hour in which they ended.').waitFor();
    const hourly = calls.find(({ query }) => query.get('group_by') === 'hour,model');
    expect(hourly?.query.get('start')).toMatch(/T00:00:00\.000Z$/);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const other = await open({
      answers: {
        'GET /usage': (call) => {
          const groups = (call.query.get('group_by') ?? '').split(',');
          const { body } = usageOf(2)(call);
          if (!groups.includes('day')) return { body };
          return {
            body: { ...body, data: [...body.data.map((one) => ({ ...one, day: yesterday })), ...body.data] },
          };
        },
      },
    });
    await other.page.getByRole('region', { name: 'Spend by day' }).first().waitFor();
    await other.page.getByRole('table', { name: 'Usage by model' }).waitFor();
    expect(other.calls.some(({ query }) => query.get('group_by') === 'hour,model')).toBe(false);
  });

  it('asks for no failed calls where none failed, and says where their records are not found', async () => {
    const none = { object: 'list', data: [], has_more: false, next_cursor: null };
    const noneFailed: Stub = (call) => {
      const { body } = usageOf(2)(call);
      return { body: { ...body, total: { ...body.total, failed: 0 } } };
    };
    const quiet = await open({ answers: { 'GET /usage': noneFailed } });
    await quiet.page.getByText('No failed calls in this period.').waitFor();
    expect(quiet.calls.some(({ path }) => path.endsWith('/requests'))).toBe(false);
    const gone = await open({ answers: { ...shown(), 'GET /requests': { body: none } } });
    await gone.page.getByText('Their records are no longer kept.').waitFor();
    const more = { ...none, has_more: true, next_cursor: 'more' };
    const older = await open({ answers: { ...shown(), 'GET /requests': { body: more } } });
    await older.page.getByText('None among the newest calls.').waitFor();
    await older.page.getByRole('link', { name: 'All failed calls' }).click();
    await older.page.waitForURL((url) => url.searchParams.get('failed') === 'true');
  });

  it('says why calls failed: by the last provider, or by the error that the caller got', async () => {
    const log = documentedExample('GET', `${BELOW}/requests`)?.body as {
      data: [{ attempts: [object] }];
    };
    const [call] = log.data;
    const [attempt] = call.attempts;
    const failedCalls = [
      { attempts: [attempt, { ...attempt, provider: HOSTILE, status: null, error: 'timeout' }] },
      { attempts: [], error_code: 'no_eligible_route' },
      { attempts: [attempt], error_code: null },
    ].map((facts, nth) => ({ ...call, ...facts, id: `req_06dpm2q4x8k3c0v9r7t5w1hz${String(nth)}y` }));
    const { page } = await open({
      answers: { ...shown(), 'GET /requests': { body: { ...log, data: failedCalls } } },
    });
    const table = page.getByRole('table', { name: 'Last failed calls' });
    await table.getByRole('link', { name: '⟨U+202E⟩: timeout' }).waitFor();
    await table.getByRole('link', { name: 'no eligible route' }).waitFor();
    await table.getByRole('link', { name: 'Unknown' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('leaves out what the role may not read', async () => {
    const { page, calls } = await open({
      role: 'developer',
      permissions: ['usage:read'],
      answers: shown(),
    });
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    expect(await page.getByText('Wallet').count()).toBe(0);
    expect(calls.filter(({ path }) => /wallet|budgets|webhooks|projects|keys/.test(path))).toEqual([]);
  });

  it('says that alerts fire, and that a budget blocks calls long before it is spent', async () => {
    const exampleOf = (path: string) => documentedExample('GET', BELOW + path)?.body as { data: [object] };
    const alerts = exampleOf('/alerts');
    const budgets = exampleOf('/budgets');
    const refusals = exampleOf('/usage/refusals');
    const budget = {
      ...budgets.data[0],
      action: 'block',
      resets_at: '2026-11-21T00:00:00.000Z',
      updated_at: '2026-11-19T00:00:00.000Z',
    };
    const last_message = 'The budget "Production" (bud_06dpm2q4x8k3c0v9r7t5w1hzny) has too little left.';
    const refusal = { ...refusals.data[0], count: 40, last_at: '2026-11-20T09:30:00.000Z', last_message };
    const { page } = await open({
      answers: {
        ...shown(),
        'GET /alerts': { body: { ...alerts, data: [{ ...alerts.data[0], state: 'firing' }] } },
        'GET /budgets': { body: { ...budgets, data: [budget] } },
        'GET /usage/refusals': { body: { ...refusals, data: [refusal] } },
      },
    });
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'The budget Production blocks calls.' }).waitFor();
    await page.getByText('Blocking calls').waitFor();
    await page.getByText(/^Left: \$1\.08\. Refused 40 calls in the last 24 hours, the latest/).waitFor();
    await attention.getByRole('link', { name: '1 alert is firing.' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('firing');
  });

  it('groups by end user, and asks for no combination that the API refuses', async () => {
    const END_USER = 'eu_06dpm2q4x8k3c0v9r7t5w1hzny';
    const ofEndUsers: Stub = ({ query }) => {
      const named = { ...row, model: undefined, other: undefined, day: query.get('start')?.slice(0, 10) };
      const data = [
        { ...named, end_user_id: END_USER, end_user: 'ana@example.com' },
        { ...named, end_user_id: `${END_USER.slice(0, -1)}0`, end_user: null },
        { ...named, end_user_id: '(other)', end_user: null },
      ];
      return { body: { ...usage, data } };
    };
    const { page, calls } = await open({
      path: '/?group=end_user&period=today',
      answers: { 'GET /usage': ofEndUsers },
    });
    const table = page.getByRole('table', { name: 'Usage by end user' });
    await table.getByRole('row', { name: /^ana@example\.com eu_06dp…w1hzny/ }).waitFor();
    await table.getByRole('row', { name: /^eu_06dp…w1hzn0/ }).waitFor();
    await table.getByRole('row', { name: /^\(other\)/ }).waitFor();
    await table.getByRole('row', { name: /^Total of calls with an end user/ }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'End user' }).fill('ana@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Latency and refusals are not available by end user.').waitFor();
    await page.getByRole('combobox', { name: 'Group by' }).click();
    await page.getByRole('option', { name: 'By end user' }).waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['By project', 'By end user']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'ana@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(new URL(page.url()).searchParams.get('end_user')).toBe(END_USER);

    const asked = calls.filter(({ path }) => path.endsWith('/usage'));
    const refused = asked.filter(({ query }) => {
      const groups = (query.get('group_by') ?? 'day').split(',');
      if (!groups.includes('end_user') && !query.has('end_user')) return false;
      return query.has('include') || groups.some((by) => !['day', 'project', 'end_user'].includes(by));
    });
    expect(refused.map(({ query }) => query.toString())).toEqual([]);
    expect(asked.some(({ query }) => query.get('end_user') === 'ana@example.com')).toBe(true);
  });

  it('keeps the figures of all calls while it groups by end user', async () => {
    const answers: NonNullable<StubbedOptions['answers']> = {
      'GET /usage': ({ query }) => {
        const isPart = query.get('group_by')?.includes('end_user') === true;
        const total = {
          ...usage.total,
          requests: isPart ? 7 : 1_204,
          customer_nanos: isPart ? 1 : 9_000_000_000,
        };
        return { body: { ...usage, data: [], total } };
      },
    };
    const { page } = await open({ path: '/?group=end_user', answers });
    const summary = page.getByRole('list', { name: 'Summary' });
    await summary.getByText('$9.00').waitFor();
    await summary.getByText('1,204').waitFor();
    await page.getByText('No calls with an end user in this period.').waitFor();
  });

  it('lists once what needs attention, the most urgent first, and says incidents nowhere else', async () => {
    const { page } = await open({
      answers: {
        ...shown(),
        'GET /incidents': { body: documentedExample('GET', `${BELOW}/incidents`)?.body },
      },
    });
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.waitFor();
    expect(await attention.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Incident: /),
      '1 alert is firing.',
      '1 webhook endpoint disabled after repeated failures.',
      '1 webhook endpoint failing.',
      expect.stringMatching(/^Refused in the last 24 hours: \d+ calls?\.$/),
    ]);
    expect(await page.getByText(/^Incident: /).count()).toBe(1);
    const disabled = attention.getByRole('link', { name: /^1 webhook endpoint disabled/ });
    // There is one: its page is what somebody wants.
    expect(await disabled.getAttribute('href')).toMatch(/\/webhooks\/whe_\w+/);
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('has no list of what needs attention where nothing does', async () => {
    const none = { body: { object: 'list', data: [], has_more: false, next_cursor: null } };
    const refusals = documentedExample('GET', `${BELOW}/usage/refusals`)?.body as { total: object };
    const { page } = await open({
      answers: {
        ...shown(),
        'GET /alerts': none,
        'GET /webhooks': none,
        'GET /budgets': none,
        'GET /usage/refusals': { body: { ...refusals, data: [], total: { ...refusals.total, count: 0 } } },
      },
    });
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('region', { name: 'Needs attention' }).count()).toBe(0);
  });
});
