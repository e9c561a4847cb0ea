import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { notFoundBy } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

const api = async (path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(svc.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
};
const chat = (key: string, endUser?: string) =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(endUser !== undefined && { 'svc-end-user': endUser }),
    },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });

inBrowser('the page of budgets', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/budgets');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  async function create(name: string, amount: string, period = 'Month'): Promise<void> {
    await page.getByRole('button', { name: 'Create budget' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create budget' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('radio', { name: period }).check();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill(amount);
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    await page.getByRole('link', { name }).waitFor();
  }

  it('sends ten dollars and a nano as 10000000001 nanos, and blocks nothing before it is spent', async () => {
    await create('Exact', '10.000000001');
    const { data } = (await api('/api/v1/budgets')) as { data: { name: string; amount_nanos: number }[] };
    expect(data.find(({ name }) => name === 'Exact')?.amount_nanos).toBe(10_000_000_001);
    await page.getByRole('row', { name: /Exact.*OK.*of \$10\.00/ }).waitFor();
    await page.getByRole('link', { name: 'Exact' }).click();
    await page.getByText(/warns at 80 %, blocks at 100 %/).waitFor();
    await page.getByText(/resets 1 \w+ 00:00 UTC/).waitFor();
  });

  it('of a key blocks its next call once it is used up, says so, and lets calls go on when it is disabled', async () => {
    const made = (await api('/api/v1/keys', 'POST', { name: 'Capped', scopes: ['inference:invoke'] })) as {
      key: string;
      api_key: { id: string };
    };
    expect((await chat(made.key)).status).toBe(200);
    await page.getByRole('button', { name: 'Create budget' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create budget' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Of Capped');
    await dialog.getByRole('radio', { name: 'Key' }).check();
    await dialog.getByRole('combobox', { name: 'Key' }).fill('Capped');
    await page.getByRole('option', { name: /Capped/ }).click();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('0.000000001');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    expect((await chat(made.key)).status).toBe(402);
    await page.getByRole('row', { name: /Of Capped.*Blocking calls/ }).waitFor();
    await page.goto(`${svc.baseUrl}/console/budgets?key=${made.api_key.id}`);
    await page.getByRole('link', { name: 'Of Capped' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await page.getByText('Blocking calls').count()).toBe(0);
    expect((await chat(made.key)).status).toBe(200);
  });

  it('gives each end user an amount, says who has spent most, and raises it for a while', async () => {
    await page.getByRole('button', { name: 'Create budget' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create budget' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Each customer');
    await dialog.getByRole('radio', { name: 'End user' }).first().check();
    await dialog.getByRole('radio', { name: 'Week' }).check();
    await dialog.getByRole('textbox', { name: 'Amount in dollars' }).fill('0.000000001');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    expect((await chat(svc.apiKey)).status).toBe(200);
    expect((await chat(svc.apiKey, 'customer-1')).status).toBe(402);

    await page.getByRole('row', { name: /Each end user: < \$0\.0001 per week/ }).waitFor();
    await page.getByRole('link', { name: 'Each customer' }).click();
    await page.getByRole('button', { name: 'Temporary amount…' }).click();
    const form = page.getByRole('dialog', { name: 'Set a temporary amount' });
    await form.getByRole('textbox', { name: 'Amount in dollars' }).fill('5');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Launch week');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Temporary amount until .*: \$5\.00 instead of < \$0\.0001\./).waitFor();
    for (const endUser of ['customer-1', 'customer-1', 'customer-2'])
      expect((await chat(svc.apiKey, endUser)).status).toBe(200);
    await page.reload();
    const table = page.getByRole('table', { name: 'Top spenders' });
    await table.getByRole('row', { name: /^customer-1/ }).waitFor();
    await page.getByText(/^Highest: customer-1/).waitFor();
    await table
      .getByRole('row', { name: /^customer-2/ })
      .getByRole('button', { name: 'Show' })
      .click();
    await page.getByRole('table', { name: 'Spend by period' }).waitFor();
    await table.getByRole('link', { name: 'customer-2' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(await page.getByRole('table', { name: 'Requests' }).getByRole('row').count()).toBe(2);

    await page.goBack();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Temporary amount removed.').waitFor();
    expect((await chat(svc.apiKey, 'customer-2')).status).toBe(402);
    expect((await chat(svc.apiKey, 'customer-3')).status).toBe(402);
  });

  it('asks before one is deleted, and shows no bar for one of sessions', async () => {
    await create('Sessions', '3', 'Session');
    const row = page.getByRole('row', { name: /Sessions/ });
    await row.getByText('Up to $3.00 per session').waitFor();
    expect(await row.getByRole('meter').count()).toBe(0);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Delete this budget?' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete' }).click();
    const notFound = notFoundBy(page);
    await asked.getByRole('button', { name: 'Delete budget' }).click();
    await page.getByText('Budget deleted.').waitFor();
    await page.getByRole('table', { name: 'Budgets' }).waitFor();
    await page.getByRole('link', { name: 'Sessions' }).waitFor({ state: 'detached' });
    expect(notFound).toEqual([]);
  });
});
