import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission = /^Your role, Viewer, cannot see projects\./;

describePages('the page of projects', () => {
  describeStates({
    path: '/projects',
    reads: 'GET /projects',
    heading: 'Projects',
    shown: (page) => page.getByRole('table', { name: 'Projects' }).waitFor(),
    noPermission,
    overlays: [(page) => page.getByRole('button', { name: 'Create project' }).click()],
  });
});

describePages('the page of one project', () => {
  describeStates({
    path: `/projects/${PROJECT}`,
    reads: `GET /projects/${PROJECT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'Budgets' }).waitFor(),
    noPermission,
    gone: 'This project was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Rename' }).click(),
      (page) => page.getByRole('button', { name: 'Archive' }).click(),
    ],
  });
});

describePages('what the page of one project leads to', () => {
  const open = consoles();

  it('is its policy, for a role that may read policies', async () => {
    const { page } = await open({ path: `/projects/${PROJECT}` });
    const link = page.getByRole('link', { name: 'View policy' });
    expect(await link.getAttribute('href')).toContain(`/routing?level=project&project=${PROJECT}`);
    const other = await open({ path: `/projects/${PROJECT}`, permissions: ['org:read', 'project:read'] });
    await other.page.getByRole('heading', { name: 'Details' }).waitFor();
    expect(await other.page.getByText('View policy').count()).toBe(0);
  });
});

describePages('the list of projects', () => {
  const open = consoles();
  const [example] = (
    documentedExample('GET', `${BELOW}/projects`)?.body as { data: [{ id: string; name: string }] }
  ).data;
  const listOf = (data: readonly object[]) => ({
    body: { object: 'list', data, has_more: false, next_cursor: null },
  });

  it('says what a project is for, where there is none', async () => {
    const { page } = await open({ path: '/projects', answers: { 'GET /projects': listOf([]) } });
    await page.getByText('No projects yet').waitFor();
  });

  it('shows a hostile name as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: '/projects',
      answers: { 'GET /projects': listOf([{ ...example, name }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('has no button and no figure for a role that may only see projects', async () => {
    const { page, calls } = await open({
      path: '/projects',
      role: 'finance',
      permissions: ['org:read', 'project:read'],
    });
    await page.getByRole('table', { name: 'Projects' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create project' }).count()).toBe(0);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Name', 'State', 'Created']);
    expect(calls.filter(({ path }) => /usage|budgets|keys/.test(path))).toEqual([]);
  });

  it('shows what each of several projects was charged', async () => {
    const usage = documentedExample('GET', `${BELOW}/usage`)?.body as { data: [object] };
    const other = `${PROJECT.slice(0, -2)}01`;
    const rows = [
      { ...usage.data[0], project_id: PROJECT, customer_nanos: 1_250_000_000 },
      { ...usage.data[0], project_id: other, customer_nanos: 2_500_000_000 },
    ];
    const { page } = await open({
      path: '/projects',
      listed: 2,
      answers: { 'GET /usage': { body: { ...usage, data: rows } } },
    });
    for (const amount of ['$1.25', '$2.50']) await page.getByRole('cell', { name: amount }).waitFor();
  });

  it('says why an archived project takes no calls', async () => {
    const archived = { ...example, state: 'archived' };
    const { page } = await open({
      path: `/projects/${PROJECT}`,
      answers: { [`GET /projects/${PROJECT}`]: { body: archived } },
    });
    await page.getByText('This project is archived').waitFor();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  });

  it('shows what the API refused at its field, and sends no empty name', async () => {
    const refused = { code: 'invalid_request', message: 'It is taken.', param: 'name', retriable: false };
    const { page, calls } = await open({
      path: '/projects?create=true',
      answers: { 'POST /projects': { status: 400, body: { error: refused } } },
    });
    const dialog = page.getByRole('dialog', { name: 'Create project' });
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText('Give it a name.').waitFor();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Search');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText('It is taken.').waitFor();
  });
});

describePages('the budgets of a project', () => {
  const open = consoles();
  const {
    data: [example],
  } = documentedExample('GET', `${BELOW}/budgets`)?.body as { data: [object] };
  const budget = (nth: number, change: object) => ({
    ...example,
    id: `bud_06dpm2q4x8k3c0v9r7t5w1hz${String(nth).padStart(2, '0')}`,
    amount_in_force_nanos: 5_000_000_000,
    ...change,
  });
  const each = { scope: 'end_user', scope_id: '*', project_id: PROJECT, period: 'week', spent_nanos: null };

  it('are its own and those of each member, model and end user within it, in words', async () => {
    const budgets = [
      budget(1, { name: 'Whole', scope: 'project', scope_id: PROJECT, period: 'month' }),
      budget(2, { name: 'Customers', ...each }),
    ];
    const { page, calls } = await open({
      path: `/projects/${PROJECT}`,
      answers: {
        'GET /budgets': ({ query }) => {
          const data = query.has('project_id')
            ? [budgets[1]]
            : query.get('scope_id') === '*'
              ? []
              : [budgets[0]];
          return { body: { object: 'list', data, has_more: false, next_cursor: null } };
        },
      },
    });
    const table = page.getByRole('table', { name: 'Budgets of the project' });
    await table.getByRole('row', { name: /^Whole Project .* \$0\.4200 of \$5\.00 per month/ }).waitFor();
    const row = table.getByRole('row', { name: /^Customers Each end user of project / });
    await row.getByText('Up to $5.00 per week for each').waitFor();
    const asked = calls
      .filter(({ path }) => path.endsWith('/budgets'))
      .map(({ query }) => query.get('scope_id'));
    expect(asked.sort()).toEqual(['*', PROJECT, null].sort());
  });
});
