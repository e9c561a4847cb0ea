import { type Page } from 'playwright-core';
import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const LIST = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny/catalog/models';
const noPermission =
  'Your role, Viewer, cannot see the catalog of models. Owners, security admins, developers, and viewers can.';

describePages('the page of models', () => {
  describeStates({
    path: '/models',
    reads: 'GET /catalog/models',
    heading: 'Models',
    shown: (page) => page.getByRole('table', { name: 'Models' }).waitFor(),
    noPermission,
    overlays: [
      ...['Provider', 'Route', 'Minimum context'].map(
        (name) => (page: Page) => page.getByRole('button', { name }).click(),
      ),
      async (page) => {
        await page.getByRole('button', { name: 'Provider' }).click();
        await page.getByRole('combobox').click();
        await page.getByRole('option').first().waitFor();
      },
    ],
  });
});

describePages('the page of one model', () => {
  describeStates({
    path: '/models/acme/small',
    reads: 'GET /catalog/models/acme%2Fsmall',
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Endpoints' }).waitFor(),
    overlays: [
      async (page) => {
        await page.getByRole('row').nth(1).getByRole('link').first().click();
        await page
          .getByRole('dialog')
          .getByRole('table', { name: /^Prices of/ })
          .waitFor();
      },
    ],
    noPermission,
    gone: 'This model was not found',
  });
});

interface Model {
  readonly id: string;
  readonly display_name: string;
  readonly endpoints: readonly object[];
}

describePages('the list of models', () => {
  const open = consoles();
  const [example] = (documentedExample('GET', LIST)?.body as { data: [Model] }).data;
  const listOf = (data: readonly object[], next: string | null = null) => ({
    body: { object: 'list', data, has_more: next !== null, next_cursor: next },
  });

  it('says that there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/models', answers: { 'GET /catalog/models': listOf([]) } });
    await page.getByText('No models').waitFor();
    const other = await open({ path: '/models?q=nothing-like-it' });
    await other.page.getByText('No models match these filters.').waitFor();
    await other.page.getByRole('button', { name: 'Clear filters' }).last().click();
    await other.page.getByRole('table', { name: 'Models' }).waitFor();
  });

  it('filters 1,000 models by what is typed, and draws 50 of them', async () => {
    const numbered = (from: number) =>
      Array.from({ length: 100 }, (_, place) => ({
        ...example,
        id: `acme/model-${String(from + place)}`,
        display_name: `Model ${String(from + place)}`,
      }));
    const { page } = await open({
      path: '/models',
      answers: {
        'GET /catalog/models': ({ query }) => {
          const from = Number(query.get('cursor') ?? 0);
          return listOf(numbered(from), from === 900 ? null : String(from + 100));
        },
      },
    });
    await page.getByText('1,000 models of 1,000').waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(50);
    await page.keyboard.press('/');
    await page.keyboard.type('model-777');
    await page.getByText('1 model of 1,000').waitFor();
    await page.getByRole('link', { name: 'Model 777' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('model-777');
  });

  it('shows a price of 37.5 nanos a token by the million, and hostile names as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page, problems } = await open({
      path: '/models/acme/small',
      answers: {
        'GET /catalog/models/acme%2Fsmall': {
          body: {
            ...example,
            display_name: name,
            endpoints: example.endpoints.map((endpoint) => ({
              ...endpoint,
              provider: name,
              prices: { input: 37.5, output: 150, cached_input: 0, cache_write: 0, long_prompt: null },
            })),
          },
        },
      },
    });
    await page.getByText('$0.0375 / M tokens').first().waitFor();
    await page
      .getByRole('heading', { level: 1, name: '<img src=x onerror="document.title=1">⟨U+202E⟩' })
      .waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describePages('the endpoints of a model', () => {
  const open = consoles();
  const [example] = (documentedExample('GET', LIST)?.body as { data: [Model] }).data;
  const endpoint = (provider: string, input: number, latency: number | null) => ({
    ...example.endpoints[0],
    id: `ep-${provider}`,
    provider,
    latency,
    prices: { input, output: input, cached_input: 0, cache_write: 0, long_prompt: null },
  });
  const endpoints = [endpoint('mid', 20, 900), endpoint('cheap', 10, null), endpoint('dear', 30, 100)];
  const answers = { 'GET /catalog/models/acme%2Fsmall': { body: { ...example, endpoints } } };
  const providersIn = async (page: Page) =>
    (await page.getByRole('table', { name: 'Endpoints' }).getByRole('rowheader').allInnerTexts()).map(
      (name) => /mid|cheap|dear/.exec(name)?.[0],
    );

  it('are one table that its headers sort, and the address keeps how', async () => {
    const { page } = await open({ path: '/models/acme/small', answers });
    await page.getByRole('table', { name: 'Endpoints' }).waitFor();
    expect(await providersIn(page)).toEqual(['mid', 'cheap', 'dear']);
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.waitForURL(/sort=input_price/);
    expect(await providersIn(page)).toEqual(['cheap', 'mid', 'dear']);
    await page.getByRole('button', { name: 'Measured latency' }).click();
    await page.waitForURL(/sort=latency/);
    expect(await providersIn(page)).toEqual(['dear', 'mid', 'cheap']);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Measured latency' }).waitFor();
    expect(await providersIn(page)).toEqual(['dear', 'mid', 'cheap']);
  });

  it('open one by its name with all its prices, at an address of its own', async () => {
    const { page } = await open({ path: '/models/acme/small', answers });
    await page.getByRole('link', { name: /cheap/ }).click();
    await page.waitForURL(/endpoint=ep-cheap/);
    const dialog = page.getByRole('dialog', { name: /cheap/ });
    await dialog.getByRole('table', { name: /^Prices of cheap/ }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL((url) => !url.searchParams.has('endpoint'));
  });

  it('say that no provider serves a model without any', async () => {
    const { page } = await open({
      path: '/models/acme/small',
      answers: { 'GET /catalog/models/acme%2Fsmall': { body: { ...example, endpoints: [] } } },
    });
    await page.getByText('No provider serves this model now.').waitFor();
  });
});
