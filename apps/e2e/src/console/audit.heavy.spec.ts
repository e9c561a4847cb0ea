import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

async function api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

const PROVIDER_SECRET = 'sk-of-the-provider-0123456789abcdef';

/** A write of each kind that the pages make. @returns the secrets that the answers showed. */
async function writeEverything(): Promise<readonly string[]> {
  const minted = await api<{ key: string; api_key: { id: string } }>('POST', '/keys', {
    name: 'Billing',
    scopes: ['inference:invoke'],
    rate_limit_rpm: 600,
  });
  await api('PATCH', `/keys/${minted.api_key.id}`, { rate_limit_rpm: 1_200 });
  const project = await api<{ id: string }>('POST', '/projects', { name: 'Search' });
  await api('PATCH', `/projects/${project.id}`, { name: 'Find' });
  await api('PATCH', `/projects/${project.id}`, { state: 'archived' });
  const budget = await api<{ id: string }>('POST', '/budgets', {
    name: 'Of the month',
    scope: 'organization',
    period: 'month',
    amount_nanos: 1_000_000_000,
    action: 'warn',
  });
  await api('DELETE', `/budgets/${budget.id}`);
  await api('PUT', '/policy', { sort: 'latency' });
  const credential = await api<{ id: string }>('POST', '/provider-credentials', {
    provider: 'simulator',
    label: 'Ours',
    secret: PROVIDER_SECRET,
  });
  await api('POST', `/provider-credentials/${credential.id}/rotate`, { secret: `${PROVIDER_SECRET}-2` });
  const invited = await api<{ accept_url: string }>('POST', '/members/invitations', {
    email: 'grace@example.com',
    role: 'viewer',
  });
  await api('DELETE', `/keys/${minted.api_key.id}`);
  return [minted.key, PROVIDER_SECRET, new URL(invited.accept_url).hash || invited.accept_url];
}

inBrowser('the page of the audit log', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  let secrets: readonly string[];
  beforeAll(async () => {
    browser = await openBrowser();
    secrets = await writeEverything();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/audit');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('has every write in words, and never a secret', async () => {
    for (const words of [
      /raised requests per minute of key Billing from 600 to 1,200/,
      /created key Billing/,
      /revoked key Billing/,
      /created project Search/,
      /renamed project Search to Find/,
      /changed state of project Find from active to archived/,
      /created budget Of the month/,
      /deleted budget Of the month/,
      /changed routing policy|changed sort of routing policy/,
      /created provider credential Ours/,
      /replaced the secret of provider credential Ours/,
      /created invitation of grace@example\.com/,
    ])
      await page.getByRole('rowheader').getByText(words).first().waitFor();
    const shown = await page.evaluate<string>('document.documentElement.outerHTML');
    const answered = JSON.stringify(await api('GET', '/audit-log?limit=100'));
    for (const secret of secrets) {
      expect(shown).not.toContain(secret.slice(-16));
      expect(answered).not.toContain(secret.slice(-16));
    }
  });

  it('filters by noun from the form, by target from the row, and leads to the target and back', async () => {
    await page.getByRole('button', { name: 'Action' }).click();
    await page.getByRole('textbox', { name: 'Action' }).fill('project.*');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/created key Billing/).waitFor({ state: 'hidden' });
    expect(await page.getByRole('rowheader').count()).toBe(3);
    await page.getByRole('link', { name: 'project Find' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
    await page.getByRole('link', { name: 'View in audit log' }).click();
    await page.waitForURL((url) => url.searchParams.get('target')?.startsWith('proj_') === true);
    await page.getByText(/renamed project Search to Find/).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(3);
  });
});
