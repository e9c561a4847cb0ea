import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { inBrowser, lookAtEachWay, openBrowser } from '../harness/browser';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi, SCOPES } from './oauth-app';

/** The app's own server, to which browsers are redirected. */
interface Callback {
  readonly url: string;
  /** Queries and referrers of the visits. */
  readonly visits: { readonly query: URLSearchParams; readonly referrer: string | undefined }[];
  readonly server: Server;
}

let svc: SharedSvc;
let browser: Browser;
let callback: Callback;
let clientId: string;
function openCallback(): Promise<Callback> {
  const visits: Callback['visits'] = [];
  const server = createServer(({ url = '', headers }, answer) => {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    if (pathname === '/callback') visits.push({ query, referrer: headers.referer });
    answer
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>The app</title><h1>Welcome back</h1>');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${String(port)}/callback`, visits, server });
    });
  });
}

function authorizationUrl(changes: Readonly<Record<string, string>> = {}): string {
  const query = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback.url,
    scope: SCOPES.join(' '),
    state: 'state-1',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  return `${svc.baseUrl}/auth/oauth/authorize?${new URLSearchParams(query).toString()}`;
}

async function inNewBrowser<T>(options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

async function logIn(page: Page): Promise<void> {
  const { owner_email: email, owner_password: password } = svc.ready;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password ?? '');
  await page.getByRole('button', { name: 'Log in' }).click();
}

const look = (page: Page, name: string) => lookAtEachWay(page, `oauth/${name}`);

const lastVisit = () => callback.visits.at(-1)!;

inBrowser('in a real browser', () => {
  beforeAll(async () => {
    svc = await sharedSvc();
    callback = await openCallback();
    browser = await openBrowser();
    const { body } = await callApi(svc.baseUrl, 'POST', '/api/v1/oauth-apps', svc.apiKey, {
      name: 'Cost charts',
      app_type: 'public',
      redirect_uris: [callback.url],
      scopes: SCOPES,
      homepage: 'https://charts.example',
    });
    clientId = body.app.client_id;
  });
  afterAll(async () => {
    await browser.close();
    callback.server.close();
  });

  it('a member logs in, sees the scopes that the app requests, and allows them', async () => {
    await inNewBrowser({}, async (page) => {
      await page.goto(authorizationUrl());
      await page.waitForURL('**/auth/login?**');
      await look(page, 'login');
      await logIn(page);
      await page.waitForURL('**/auth/oauth/authorize?**');
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(SCOPES.length);
      await look(page, 'consent');
      await page.getByRole('checkbox', { name: /create and update projects/i }).uncheck();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL('**/callback?**');
      expect(lastVisit().query.get('code')).toMatch(/^svc_ac_/);
      expect(lastVisit().query.get('state')).toBe('state-1');
      expect(lastVisit().referrer).toBeUndefined();
    });
  });

  it('a wrong redirect URI, or an unticked form, is explained', async () => {
    await inNewBrowser({}, async (page) => {
      await page.goto(authorizationUrl({ redirect_uri: 'https://evil.test/' }));
      await look(page, 'error');
      await page.goto(authorizationUrl());
      await logIn(page);
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('alert').waitFor();
      await look(page, 'consent-problem');
    });
  });

  it('a member without JavaScript logs in and denies', async () => {
    await inNewBrowser({ javaScriptEnabled: false }, async (page) => {
      await page.goto(authorizationUrl());
      await logIn(page);
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.waitForURL('**/callback?**');
      expect(Object.fromEntries(lastVisit().query)).toEqual({ error: 'access_denied', state: 'state-1' });
    });
  });

  it('a member with a keyboard alone logs in, unticks a scope and allows the rest', async () => {
    await inNewBrowser({}, async (page) => {
      const focused = () =>
        page.evaluate<string>('document.activeElement.value ?? document.activeElement.tagName');
      const tabTo = async (value: string) => {
        for (let step = 0; step < 20 && (await focused()) !== value; step++) await page.keyboard.press('Tab');
        expect(await focused()).toBe(value);
      };
      await page.goto(authorizationUrl());
      // The page sets the focus itself, on a busy machine a moment after it was loaded.
      await page.locator('input:focus').waitFor();
      await page.keyboard.type(svc.ready.owner_email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(svc.ready.owner_password ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/auth/oauth/authorize?**');
      await tabTo('usage:read');
      await page.keyboard.press('Space');
      expect(await page.locator('input[value="usage:read"]').isChecked()).toBe(false);
      await tabTo('allow');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/callback?**');
      expect(lastVisit().query.get('code')).toMatch(/^svc_ac_/);
    });
  });

  it('a member of several organizations chooses one', async () => {
    const name = 'A second organization, with a name that takes more than one line on a phone';
    const made = await callApi(svc.baseUrl, 'POST', '/platform/v1/organizations', svc.platformToken ?? '', {
      name,
      owner_email: svc.ready.owner_email,
    });
    expect(made.status).toBe(201);
    await inNewBrowser({}, async (page) => {
      await page.goto((made.body as { owner: { accept_url: string } }).owner.accept_url);
      await page.getByLabel('Password').fill(svc.ready.owner_password ?? '');
      await page.getByRole('button', { name: 'Log in and join' }).click();
      await page.waitForURL('**/console/**');
    });
    await inNewBrowser({}, async (page) => {
      await page.goto(authorizationUrl());
      await logIn(page);
      await look(page, 'organizations');
      await page.getByRole('radio', { name }).check();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL('**/callback?**');
      expect(lastVisit().query.get('code')).toMatch(/^svc_ac_/);
    });
  });
});
