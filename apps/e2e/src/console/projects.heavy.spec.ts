import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { newMember } from './new-member';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Answer;
}

const chat = (key: string) =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });

async function projectWithKey(name: string): Promise<{ id: string; key: string }> {
  const { id } = await post<{ id: string }>('/projects', { name });
  const scopes = ['inference:invoke'];
  const { key } = await post<{ key: string }>('/keys', { name: `Key of ${name}`, project_id: id, scopes });
  return { id, key };
}

inBrowser('the page of projects', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/projects');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('creates a project and renames it', async () => {
    await page.getByRole('button', { name: 'Create project' }).click();
    const create = page.getByRole('dialog', { name: 'Create project' });
    await create.getByLabel('Name').fill('Search');
    await create.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename project' });
    await rename.getByLabel('Name').fill('Find');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'Find', exact: true }).waitFor();
  });

  it('archives a project after naming the keys that stop; they fail, the page says why, until it is reactivated', async () => {
    const { id, key } = await projectWithKey('Billing');
    expect((await chat(key)).status).toBe(200);
    await page.goto(`${svc.baseUrl}/console/projects/${id}`);
    await page.getByRole('button', { name: 'Archive' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Archive project' });
    await asked.getByRole('listitem').getByText('Key of Billing').waitFor();
    await asked.getByRole('button', { name: 'Archive project' }).click();
    await page.getByText('This project is archived: it takes no new calls.').waitFor();
    const refused = await chat(key);
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('The project of this API key is archived.');
    await page.getByText('“The project of this API key is archived.”').waitFor();

    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivate project' }).click();
    await page.getByText('Project reactivated.').waitFor();
    expect((await chat(key)).status).toBe(200);
  });

  it('lists what a project spent, its keys and its budgets', async () => {
    const { id, key } = await projectWithKey('Spender');
    await post('/budgets', {
      name: 'Of the month',
      scope: 'project',
      scope_id: id,
      period: 'month',
      amount_nanos: 10_000_000_000,
      action: 'warn',
    });
    expect((await chat(key)).status).toBe(200);
    await page.reload();
    await page
      .getByRole('row', { name: /Spender/ })
      .getByText('of $10.00')
      .waitFor();
    await page.getByRole('link', { name: 'Spender', exact: true }).click();
    await page.getByRole('table', { name: 'Keys of the project' }).getByText('Key of Spender').waitFor();
    await page.getByRole('table', { name: 'Budgets of the project' }).getByText('Of the month').waitFor();
    await page.getByRole('link', { name: 'View all keys' }).click();
    await page.waitForURL((url) => url.searchParams.get('project') === id);
  });

  it('shows finance all of it, without a button', async () => {
    const { id } = await projectWithKey('Seen');
    const finance = await newMember(browser, svc, 'finance', 'the-finance@example.com');
    const other = await visitConsole(browser, svc, '/console/projects', { visitor: finance });
    try {
      await other.page.getByRole('link', { name: 'Seen', exact: true }).click();
      await other.page.waitForURL((url) => url.pathname === `/console/projects/${id}`);
      await other.page.getByRole('heading', { name: 'Budgets' }).waitFor();
      expect(await other.page.getByRole('button', { name: /create|rename|archive/i }).count()).toBe(0);
      expect(other.problems).toEqual([]);
    } finally {
      await other.context.close();
    }
  });
});
