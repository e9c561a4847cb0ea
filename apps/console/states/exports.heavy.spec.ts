import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const EXPORT = 'exp_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const example = documentedExample('GET', `${BELOW}/exports/${EXPORT}`)?.body as object;
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});
const completed = { ...example, state: 'completed', failure_code: null };

describePages('the page of exports', () => {
  describeStates({
    path: '/exports',
    reads: 'GET /exports',
    heading: 'Exports',
    shown: (page) => page.getByRole('table', { name: 'Exports' }).waitFor(),
    noPermission: /^Your role, Viewer, cannot see exports\./,
    answers: { 'GET /exports': listOf([completed]) },
    overlays: [
      (page) => page.getByRole('button', { name: 'Create export' }).click(),
      (page) => page.getByRole('button', { name: /^Delete/ }).click(),
      (page) => page.getByRole('button', { name: /^Get link/ }).click(),
    ],
  });
});

describePages('exports', () => {
  const open = consoles();

  it('says what an export is for, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/exports', answers: { 'GET /exports': listOf([]) } });
    await page.getByText('No exports yet').waitFor();
    await page.goto(page.url().replace(/\/exports.*/, '/exports?state=failed'));
    await page.getByText('No exports match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No exports yet').waitFor();
  });

  it('shows what is under way until it has ended, without a reload', async () => {
    let reads = 0;
    const { page } = await open({
      path: '/exports',
      answers: {
        'GET /exports': () => {
          reads += 1;
          const moving = { ...example, state: 'running', row_count: null, failure_code: null };
          return listOf([
            reads < 3 ? { ...moving, progress: { ...progressOf(example), rows: 17 } } : completed,
          ]);
        },
      },
    });
    await page.getByText('17 rows').waitFor();
    await page.getByText('Completed').waitFor();
  });

  it('says why an export failed', async () => {
    const failed = { ...example, state: 'failed', failure_code: 'row_limit_exceeded' };
    const { page } = await open({ path: '/exports', answers: { 'GET /exports': listOf([failed]) } });
    await page.getByText('It has too many rows. Choose a shorter range.').waitFor();
    expect(await page.getByRole('button', { name: /^Download/ }).count()).toBe(0);
  });

  it('shows a link in one dialog, once it was asked for, and nowhere after it', async () => {
    const { page, calls } = await open({
      path: '/exports',
      answers: { 'GET /exports': listOf([completed]) },
    });
    await page.getByRole('table', { name: 'Exports' }).waitFor();
    expect(calls.some(({ path }) => path.endsWith('/download'))).toBe(false);
    await page.getByRole('button', { name: /^Get link/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Your link' });
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    expect(link).toContain('signature=');
    // In one piece, with its full stop.
    await dialog
      .getByText(/^It needs no login, so keep it secret\. It works until [\w ]+, [\d:]+ UTC\.$/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('signature=');
  });

  it('saves the file by one press in its row, and shows the link nowhere', async () => {
    const { page, calls } = await open({
      path: '/exports',
      answers: { 'GET /exports': listOf([completed]) },
    });
    await page.route(/signature=/, (route) =>
      route.fulfill({ body: 'id', headers: { 'content-disposition': 'attachment; filename="usage.csv"' } }),
    );
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download/ }).click();
    expect((await saved).suggestedFilename()).toBe('usage.csv');
    await page.unrouteAll();
    await page.getByText('Download started.').waitFor();
    expect(calls.filter(({ path }) => path.endsWith('/download'))).toHaveLength(1);
    expect(await page.content()).not.toContain('signature=');
    expect(new URL(page.url()).pathname).toBe('/console/exports');
  });

  it('offers kinds that the role may read only, and nothing to a role that cannot start one', async () => {
    const { page } = await open({
      path: '/exports?create=true',
      permissions: ['org:read', 'export:read', 'export:write', 'audit:read'],
    });
    await page.getByRole('dialog').getByRole('combobox', { name: 'Data' }).click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Audit log']);
    const other = await open({
      path: '/exports',
      permissions: ['org:read', 'export:read'],
      answers: { 'GET /exports': listOf([completed]) },
    });
    await other.page.getByRole('table', { name: 'Exports' }).waitFor();
    expect(await other.page.getByRole('button', { name: /^(Create export|Delete|Cancel)/ }).count()).toBe(0);
  });

  it('shows what the API refused at its field', async () => {
    const refused = {
      code: 'invalid_request',
      message: 'start is too early.',
      param: 'start',
      retriable: false,
    };
    const { page } = await open({
      path: '/exports?create=true',
      answers: { 'POST /exports': { status: 400, body: { error: refused } } },
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Create export' }).click();
    await page.getByRole('dialog').getByText('start is too early.').waitFor();
  });
});

const progressOf = (one: object): object => (one as { progress: object }).progress;
