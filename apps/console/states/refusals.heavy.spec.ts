import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages, problemsOfLook, type Stub } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const NOW = '2026-11-20T09:31:00Z';

interface Refusals {
  readonly data: readonly [Readonly<Record<string, unknown>>];
  readonly total: { readonly count: number };
}
const example = documentedExample('GET', `${BELOW}/usage/refusals`)?.body as Refusals;
const [row] = example.data;
const answerOf = (data: readonly object[]): Stub => ({
  body: { ...example, data, total: { count: data.length } },
});
const isRead = ({ path }: { readonly path: string }): boolean => path.endsWith('/usage/refusals');

describePages('the page of refused calls', () => {
  describeStates({
    path: '/refusals',
    reads: 'GET /usage/refusals',
    heading: 'Refused calls',
    shown: (page) => page.getByRole('table', { name: 'Refused calls' }).waitFor(),
    noPermission: /^Your role, Viewer, cannot see refused calls\./,
    overlays: [
      (page) => page.getByRole('search').getByRole('button', { name: 'Reason' }).click(),
      (page) => page.getByRole('search').getByRole('button', { name: 'Project' }).click(),
    ],
  });
});

describePages('refused calls', () => {
  const open = consoles();

  it('have their reason, message, key, model, project, the last time and how many they were', async () => {
    const { page } = await open({ path: '/refusals', now: NOW });
    const table = page.getByRole('table', { name: 'Refused calls' });
    await table.getByText('rate_limit').waitFor();
    await table.getByText('429').waitFor();
    await table.getByText('rate limit', { exact: true }).waitFor();
    await table.getByText(String(row['last_message'])).waitFor();
    await table.getByRole('link', { name: 'Production' }).first().waitFor();
    await table.getByRole('link', { name: 'acme/small' }).waitFor();
    await table.getByText('1 min ago').waitFor();
    await table.getByText('214', { exact: true }).waitFor();
    await page.getByText(/^214 calls refused from 19 Nov 2026.* to 20 Nov 2026/).waitFor();
  });

  it('are those of the last 30 days, from a full hour on', async () => {
    const { page, calls } = await open({ path: '/refusals', now: NOW });
    await page.getByRole('table', { name: 'Refused calls' }).waitFor();
    expect(Object.fromEntries(calls.find(isRead)?.query ?? [])).toEqual({
      start: '2026-10-21T09:00:00.000Z',
      group_by: 'code,model,project,api_key',
    });
  });

  it('are those that the address says', async () => {
    const address =
      `code=rate_limit&model=acme/small&key=${KEY}&project=proj_06dpm2q4x8k3c0v9r7t5w1hzny` +
      '&after=2026-11-01T00:00:00Z&before=2026-11-22T00:00:00Z';
    const { page, calls } = await open({ path: `/refusals?${address}` });
    await page.getByRole('table', { name: 'Refused calls' }).waitFor();
    expect(Object.fromEntries(calls.find(isRead)?.query ?? [])).toEqual({
      code: 'rate_limit',
      model: 'acme/small',
      api_key_id: KEY,
      project_id: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny',
      start: '2026-11-01T00:00:00Z',
      end: '2026-11-22T00:00:00Z',
      group_by: 'code,model,project,api_key',
    });
  });

  it.each([
    ['code', 'rate_limit', 'rate_limit'],
    ['key', 'Production', KEY],
    ['model', 'acme/small', 'acme/small'],
  ])('are narrowed by a press on the %s of a row', async (parameter, name, value) => {
    const { page } = await open({ path: '/refusals' });
    await page
      .getByRole('table', { name: 'Refused calls' })
      .getByRole('link', { name, exact: true })
      .first()
      .click();
    await page.waitForURL((url) => url.searchParams.get(parameter) === value);
  });

  it('say that none was refused, and that none matches a filter', async () => {
    const { page } = await open({ path: '/refusals', answers: { 'GET /usage/refusals': answerOf([]) } });
    await page.getByText('No refused calls').waitFor();
    await page.goto(page.url().replace(/\/refusals.*/, '/refusals?code=rate_limit'));
    await page.getByText('No refused calls match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No refused calls').waitFor();
  });

  it('say what the API refuses of a span, and keep the filters that were set', async () => {
    const message = 'The range is longer than 31 days.';
    const error = { code: 'invalid_request', message, param: 'start', retriable: false };
    const { page } = await open({
      path: '/refusals?after=2020-01-01T00:00:00Z',
      answers: { 'GET /usage/refusals': { status: 400, body: { error } } },
    });
    await page.getByRole('alert').getByText(message).waitFor();
    await page.getByRole('button', { name: 'Clear After' }).waitFor();
  });

  it('are shown by pages, as plain text, and without links that the role may not follow', async () => {
    const rows = Array.from({ length: 60 }, (_, nth) => ({
      ...row,
      code: `code_${String(nth)}`,
      model: nth === 0 ? null : HOSTILE,
      project_id: null,
      last_message: HOSTILE,
    }));
    const { page } = await open({
      path: '/refusals',
      permissions: ['org:read', 'usage:read'],
      answers: { 'GET /usage/refusals': answerOf(rows) },
    });
    await page.getByText('code_49', { exact: true }).first().waitFor();
    expect(await page.getByText('code_50', { exact: true }).count()).toBe(0);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByText('Open key').count()).toBe(0);
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('code_50', { exact: true }).first().waitFor();
  });

  it('are led to from the overview, with its period, and from a key', async () => {
    const { page } = await open({ path: '/?period=7d', now: NOW });
    await page.getByRole('list', { name: 'Summary' }).getByRole('link', { name: 'Refused' }).click();
    await page.getByRole('heading', { level: 1, name: 'Refused calls' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('after')).toBe('2026-11-14T00:00:00.000Z');
    expect(searchParams.get('before')).toBe('2026-11-21T00:00:00.000Z');
    const other = await open({ path: `/keys/${KEY}`, now: NOW });
    const section = other.page.getByRole('region', { name: 'Refused in the last 24 hours' });
    await section.getByText('rate limit: 214 calls, the last 1 min ago').waitFor();
    await section.getByRole('link', { name: 'Refused calls of this key' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Refused calls' }).waitFor();
    expect(new URL(other.page.url()).searchParams.get('key')).toBe(KEY);
  });
});
