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

const chat = (key: string) =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });

async function createKey(body: object): Promise<{ key: string; api_key: { id: string } }> {
  const answer = await fetch(`${svc.baseUrl}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { key: string; api_key: { id: string } };
}

/** Everything that outlives a view: what a page may leave behind, and what it shows. */
const remains = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
    document.title, location.href, history.state, { ...localStorage }, { ...sessionStorage }])`);

inBrowser('the page of keys', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/keys');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('creates a key that can call, and shows its secret in one dialog and nowhere after it', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Billing');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    const secret = await saved.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(secret).toMatch(/^svc_sk_/);
    await page.keyboard.press('Escape');
    await expect(saved.isVisible()).resolves.toBe(true);
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await saved.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    expect(await remains(page)).not.toContain(secret.slice(-20));
    expect((await chat(secret)).status).toBe(200);
  });

  it('revokes a key by its name, tells when it was used last, and its next call is 401', async () => {
    const { key, api_key } = await createKey({ name: 'Doomed', scopes: ['inference:invoke'] });
    expect((await chat(key)).status).toBe(200);
    await page.goto(`${svc.baseUrl}/console/keys/${api_key.id}`);
    await page.getByRole('button', { name: 'Revoke' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByText(/^Last used/).waitFor();
    const revoke = asked.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.getAttribute('aria-disabled')).toBe('true');
    await asked.getByLabel('Type “Doomed” to confirm').fill('Doomed');
    await revoke.click();
    await page.getByText('Key revoked.').waitFor();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect((await chat(key)).status).toBe(401);
  });

  it('creates a key for one address, which is refused from another one, and shows both on its page', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('Elsewhere');
    await dialog.getByText('Restrict the key').click();
    const from = dialog.getByRole('group', { name: 'Allowed addresses' });
    await from.getByRole('radio', { name: 'Only these…' }).check();
    const addresses = dialog.getByRole('textbox', { name: 'Addresses and ranges' });
    await addresses.fill('203.0.113.9/24');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(/allowed_ips\[0\]/).waitFor();
    await addresses.fill('203.0.113.9');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    const secret = await saved.getByRole('textbox', { name: 'API key' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    expect((await chat(secret)).status).toBe(401);
    await page.getByRole('link', { name: 'Elsewhere' }).click();
    await page.getByRole('list', { name: 'Allowed addresses' }).getByText('203.0.113.9').waitFor();
    await page.getByRole('main').getByRole('link', { name: svc.ready.owner_email }).first().waitFor();
    await page.getByRole('link', { name: 'Open in Routing' }).click();
    await page.getByRole('textbox', { name: 'Addresses and ranges' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('level') === 'key');
  });

  it('gives a key back its default limits', async () => {
    const { api_key } = await createKey({ name: 'Slow', scopes: ['inference:invoke'], rate_limit_rpm: 5 });
    await page.goto(`${svc.baseUrl}/console/keys/${api_key.id}`);
    await page.getByRole('row', { name: /Requests 5 5/ }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit key' });
    await dialog.getByLabel('Requests per minute', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key saved.').waitFor();
    await page.getByRole('row', { name: /Requests Default \(600\) 600/ }).waitFor();
  });

  it('makes a like key in the place of one, which stays until it is revoked', async () => {
    const made = await createKey({
      name: 'Worker',
      scopes: ['inference:invoke', 'usage:read'],
      rate_limit_rpm: 60,
    });
    await page.goto(`${svc.baseUrl}/console/keys/${made.api_key.id}`);
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    const secret = await saved.getByRole('textbox', { name: 'API key' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('Replaced by').waitFor();
    expect([(await chat(made.key)).status, (await chat(secret)).status]).toEqual([200, 200]);
  });

  it('finds keys by a part of their name, from the form and from the address', async () => {
    await createKey({ name: 'Needle one', scopes: ['inference:invoke'] });
    await page
      .getByRole('search', { name: 'Filters' })
      .getByRole('button', { name: 'Name or prefix' })
      .click();
    await page.getByRole('textbox', { name: 'Name or prefix' }).fill('needle');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Needle one' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('q') === 'needle');
    expect(await page.getByRole('rowheader').count()).toBe(1);
    await page.goto(`${svc.baseUrl}/console/keys?q=nothing-like-it`);
    await page.getByText('No keys match these filters.').waitFor();
  });
});
