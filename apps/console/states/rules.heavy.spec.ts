import { documentedExample } from './documented-examples';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const ENDPOINT = 'whe_06dpm2q4x8k3c0v9r7t5w1hzny';
const DELIVERY = 'dlv_06dpm2q4x8k3c0v9r7t5w1hzny';

type Example = Readonly<Record<string, unknown>>;
const exampleOf = (path: string): Example => documentedExample('GET', BELOW + path)?.body as Example;
const rowOf = (path: string): Example => (exampleOf(path)['data'] as [Example])[0];
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});

describePages('what users can rely on', () => {
  const open = consoles();

  it('every limit that binds a key is on its page, with what is left of it', async () => {
    const budget = { ...rowOf('/budgets'), action: 'block', period: 'month', spent_nanos: 2_500_000_000 };
    const budgets = (['api_key', 'project', 'organization'] as const).map((scope, place) => ({
      ...budget,
      id: `bud_06dpm2q4x8k3c0v9r7t5w1hz${String(place).padStart(2, '0')}`,
      name: `Limit of the ${scope}`,
      scope,
      amount_in_force_nanos: (place + 1) * 10_000_000_000,
    }));
    const { page } = await open({
      path: `/keys/${KEY}`,
      answers: {
        'GET /budgets': listOf(budgets),
        'GET /wallet': { body: { ...exampleOf('/wallet'), available_nanos: 41_250_000_000 } },
      },
    });
    const budgetRows = page.getByRole('table', { name: 'Budgets that apply' }).getByRole('row');
    for (const [name, left] of [
      ['Limit of the api_key', '$7.50'],
      ['Limit of the project', '$17.50'],
      ['Limit of the organization', '$27.50'],
    ] as const) {
      await budgetRows.filter({ hasText: name }).getByText(left, { exact: true }).waitFor();
    }
    const rates = page.getByRole('table', { name: 'Rate limits' });
    await rates.getByRole('row', { name: /^Requests/ }).waitFor();
    await rates.getByRole('row', { name: /^Estimated tokens/ }).waitFor();
    await page.getByText(/^Available in the wallet:/).waitFor();
    await page.getByText('$41.25', { exact: true }).waitFor();
  });

  it('a cost that is not charged, provisional or final is three words, and never an empty cell', async () => {
    const row = rowOf('/requests');
    const cost = row['cost'] as object;
    const calls = [
      { status: 'failed', cost: { ...cost, state: 'final', customer_nanos: 0 } },
      { status: 'pending', cost: { ...cost, state: 'provisional' } },
      { status: 'succeeded', cost: { ...cost, state: 'final', customer_nanos: 1_234_567 } },
    ].map((call, place) => ({ ...row, ...call, id: `req_06dpm2q4x8k3c0v9r7t5w1hz${String(place)}y` }));
    const { page } = await open({ path: '/requests', answers: { 'GET /requests': listOf(calls) } });
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row');
    for (const [place, words] of ['Not charged', 'Provisional', 'Final'].entries()) {
      await rows
        .nth(place + 1)
        .getByText(words)
        .first()
        .waitFor();
    }
  });

  it('a chart is a figure whose name is what it shows, and its table has a caption', async () => {
    const { page } = await open({ path: '/' });
    await page.getByRole('button', { name: 'Show as table' }).first().waitFor();
    const figures = await page.getByRole('figure').all();
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) {
      const finding = await figure.locator('figcaption p').innerText();
      expect(finding).toMatch(/^\S.*\.$/s);
      expect(await page.getByRole('figure', { name: finding, exact: true }).count()).toBeGreaterThan(0);
      const asTable = figure.getByRole('button', { name: 'Show as table' });
      await asTable.click();
      expect(await asTable.getAttribute('aria-pressed')).toBe('true');
      await figure.getByRole('table', { name: /\S/ }).waitFor();
    }
  });

  it('what lags says so, and a delivery shows each attempt and when the next is due', async () => {
    const delivery = exampleOf(`/webhooks/deliveries/${DELIVERY}`);
    const attempt = (delivery['attempts_log'] as [object])[0];
    const attempts_log = [1, 2, 3].map((nth) => ({
      ...attempt,
      round: 1,
      attempt: nth,
      status_code: 500 + nth,
      error: null,
    }));
    const { page } = await open({
      path: `/webhooks/${ENDPOINT}/deliveries/${DELIVERY}`,
      answers: {
        [`GET /webhooks/deliveries/${DELIVERY}`]: {
          body: {
            ...delivery,
            status: 'failed',
            next_attempt_at: new Date(Date.now() + 3_600_000).toISOString(),
            attempts_log,
          },
        },
      },
    });
    for (const status of ['501', '502', '503']) {
      await page.getByRole('row').filter({ hasText: status }).waitFor();
    }
    await page
      .getByText(/in (1 hour|59 min|60 min)/)
      .first()
      .waitFor();
    const budgets = await open({ path: '/budgets' });
    await budgets.page.getByText('Spend is up to 60 s behind.').first().waitFor();
  });
});
