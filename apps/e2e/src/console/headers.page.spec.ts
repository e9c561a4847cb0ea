import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

const call = (path: string, init?: RequestInit) => fetch(svc.baseUrl + path, { redirect: 'manual', ...init });

/** The path of the application's script. The one that sets the theme before it has a name of its own. */
async function startScript(): Promise<string> {
  const [, path = ''] =
    /<script type="module"[^>]+src="([^"]+)"/.exec(await (await call('/console/')).text()) ?? [];
  return path;
}

describe('the files of the console', () => {
  it('come with the headers that keep foreign code out, whatever the answer', async () => {
    const script = await startScript();
    const answers = await Promise.all([
      call('/console'),
      call('/console/'),
      call('/console/requests?status=failed'),
      call(script),
      call(script, { method: 'HEAD' }),
      call(script, { headers: { 'if-none-match': '*' } }),
      call('/console/assets/gone-00000000.js'),
      call('/console/', { method: 'POST' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 304, 404, 405]);
    for (const answer of answers) {
      expect(Object.fromEntries(answer.headers)).toMatchObject(HEADERS);
      await answer.text();
    }
  });

  it('hold no script and no style in the page itself, and no source map', async () => {
    const page = await (await call('/console/')).text();
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|data:/);
    const script = await startScript();
    expect(await (await call(script)).text()).not.toContain('sourceMappingURL');
    expect((await call(`${script}.map`)).status).toBe(404);
  });

  it('are kept for ever where their name has a hash; the start page is asked for each time', async () => {
    const script = await call(await startScript(), { headers: { 'accept-encoding': 'gzip, br' } });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('br');
    await script.text();
    const page = await call('/console/keys');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    await page.text();
    const again = await call('/console/keys', { headers: { 'if-none-match': page.headers.get('etag')! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('are the start page at every address of the application, and never in place of a missing file', async () => {
    const start = await (await call('/console/keys')).text();
    for (const path of ['/console/requests', '/console/keys/key_1', '/console/models/openai/gpt-4.1'])
      expect([path, await (await call(path)).text()]).toEqual([path, start]);
    const missing = await call('/console/assets/gone-00000000.js', { headers: { accept: 'text/html' } });
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('are asked for early where the overview needs them: its start page differs in nothing else', async () => {
    const overview = await (await call('/console/')).text();
    const early = Array.from(overview.matchAll(/^.*rel="modulepreload".*href="(.+?)".*\n/gm));
    expect(early.length).toBeGreaterThan(0);
    for (const [, path = ''] of early) expect((await call(path, { method: 'HEAD' })).status).toBe(200);
    const rest = early.reduce((page, [line]) => page.replace(line, ''), overview);
    expect(rest).toBe(await (await call('/console/keys')).text());
  });

  it('are where / leads a browser', async () => {
    const browser = await call('/', { headers: { accept: 'text/html' } });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console/']);
    expect((await call('/')).status).toBe(404);
  });
});

inBrowser('the console in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let reports: string[];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    reports = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted ?Type/i.test(message.text())) reports.push(message.text());
    });
  });
  afterEach(async () => {
    await context.close();
    expect(reports).toEqual([]);
  });

  async function logIn(): Promise<void> {
    await page.getByLabel('E-mail address').fill(svc.ready.owner_email);
    await page.getByLabel('Password').fill(svc.ready.owner_password ?? '');
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  it('sends a visitor to log in, and back to the address that was asked for', async () => {
    await page.goto(`${svc.baseUrl}/console/requests?status=failed`);
    await page.waitForURL('**/auth/login?return_to=*');
    await logIn();
    await page.waitForURL(
      (url) => url.pathname === '/console/requests' && url.searchParams.get('status') === 'failed',
    );
  });

  it('says at the login what was wrong, and is reached from there by Tab', async () => {
    await page.goto(`${svc.baseUrl}/console/requests`);
    await page.waitForURL('**/auth/login?return_to=*');
    const password = page.getByLabel('Password');
    await page.getByLabel('E-mail address').fill(svc.ready.owner_email);
    await password.fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
    const parts = [page.getByLabel('E-mail address'), password, page.getByRole('button', { name: 'Log in' })];
    await parts[0]?.focus();
    for (const part of parts) {
      expect(await part.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Tab');
    }
    await password.fill(svc.ready.owner_password ?? '');
    await password.press('Enter');
    await page.waitForURL('**/console/requests');
  });

  it('is where a login without an address ends, and one with the address of another site', async () => {
    for (const address of ['/auth/login', '/auth/login?return_to=//evil.example']) {
      await context.clearCookies();
      await page.goto(svc.baseUrl + address);
      await logIn();
      await page.waitForURL(`${svc.baseUrl}/console/**`);
    }
  });

  it('stays empty in a frame of another site', async () => {
    const site: Server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<!doctype html><title>Other</title><iframe src="${svc.baseUrl}/console/"></iframe>`);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await page.goto(`http://127.0.0.1:${String((site.address() as AddressInfo).port)}/`);
      await refused;
      const frame = page.frames().find((each) => each !== page.mainFrame());
      expect(await frame?.getByRole('heading').count()).toBe(0);
      reports = [];
    } finally {
      site.close();
    }
  });
});
