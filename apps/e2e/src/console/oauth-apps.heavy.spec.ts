import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { AppClient } from '../oauth/app-client';
import { MemberBrowser } from '../oauth/member-browser';
import { CALLBACK, callApi } from '../oauth/oauth-app';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

/** The scopes that `AppClient` asks for. */
const SCOPES = ['openid', 'email', 'usage:read', 'projects:write'];

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

inBrowser('the pages of OAuth apps', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/oauth-apps');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  /** @returns the secret, which one dialog has shown. */
  async function register(name: string): Promise<string> {
    await page.getByRole('button', { name: 'Register app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register app' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Redirect URIs' }).fill(CALLBACK);
    for (const scope of SCOPES) await dialog.getByRole('checkbox', { name: scope }).check();
    await dialog.getByRole('button', { name: 'Register app' }).click();
    const saved = page.getByRole('dialog', { name: 'Save the client secret' });
    const secret = await saved.getByRole('textbox', { name: 'Client secret' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return secret;
  }

  it('registers an app with which the whole flow works, until it is revoked here', async () => {
    const clientSecret = await register('Charts');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body: app } = await callApi(svc.baseUrl, 'GET', `/api/v1/oauth-apps/${id}`, svc.apiKey);
    const url = await page.getByRole('region', { name: 'Authorization URL' }).innerText();
    expect(new URL(url).searchParams.get('client_id')).toBe(app.client_id);
    const client = new AppClient({ id, clientId: app.client_id as string, clientSecret }, svc.baseUrl);
    const member = await MemberBrowser.loggedIn(svc);
    const { body: tokens } = await client.exchange(await client.newCode(member), svc.baseUrl);
    const call = () => callApi(svc.baseUrl, 'GET', '/api/v1/usage', tokens.access_token as string);
    expect((await call()).status).toBe(200);

    await page.getByRole('link', { name: 'Grants' }).click();
    await page.getByRole('row', { name: /Charts.*Active/ }).waitFor();
    await page.goto(`${svc.baseUrl}/console/oauth-apps/${id}`);
    await page.getByRole('button', { name: 'Revoke' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByText(/^1 of its grants here is active/).waitFor();
    await asked.getByRole('textbox').fill('Charts');
    await asked.getByRole('button', { name: 'Revoke app' }).click();
    await page.getByText('App revoked.').waitFor();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await call()).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  });

  it('registers a public app, which has no secret', async () => {
    await page.getByRole('button', { name: 'Register app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register app' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Command line');
    await dialog.getByRole('radio', { name: 'Command line, desktop, mobile or browser application' }).check();
    await dialog.getByRole('textbox', { name: 'Redirect URIs' }).fill(CALLBACK);
    await dialog.getByRole('checkbox', { name: 'openid' }).check();
    await dialog.getByRole('button', { name: 'Register app' }).click();
    await page.getByText('App registered.').waitFor();
    await page.getByRole('row', { name: /Command line.*Public/ }).waitFor();
  });

  it('rotates the secret, which is shown once', async () => {
    const before = await register('Rotated');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    const saved = page.getByRole('dialog', { name: 'Save the client secret' });
    const secret = await saved.getByRole('textbox', { name: 'Client secret' }).inputValue();
    expect(secret).not.toBe(before);
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await saved.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(secret.slice(-20));
  });
});
