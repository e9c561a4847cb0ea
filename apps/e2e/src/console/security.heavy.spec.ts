import { type Browser, type Page, type Route } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { catalogOf, testModel } from '../harness/catalog-file';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { everyAddress, openPage } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const MARKUP = '<img src=x onerror="globalThis.ran=1">';
const HOSTILE = `${MARKUP} javascript:globalThis.ran=1 \u202egpj.exe`;

let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  simulator = await startSimulator();
  const catalog = catalogOf({ name: 'one', url: simulator.url });
  const [model] = catalog.models;
  svc = await startSvc({ catalog: { ...catalog, models: [{ ...model!, display_name: MARKUP }] } });
  // A query about one project can be refused for two.
  for (const name of [MARKUP, 'Another']) await post('/api/v1/projects', { name });
  const { key } = await post<{ key: string }>('/api/v1/keys', {
    name: MARKUP,
    scopes: ['inference:invoke'],
  });
  await call(key, {});
  await call(key, { status: 400, error_message: HOSTILE });
});
afterAll(() => Promise.all([svc.stop(), simulator.stop()]));

async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(svc.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as T;
}

const call = (key: string, directive: object) =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: testModel,
      max_tokens: 50,
      messages: [{ role: 'user', content: `@simulator ${JSON.stringify(directive)}` }],
    }),
  });

inBrowser('what nobody but the console may run or read', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  let addresses: string[];
  beforeAll(async () => {
    browser = await openBrowser();
    const walk = await visitConsole(browser, svc, '/console/keys');
    addresses = await everyAddress(walk.page, svc.baseUrl);
    await walk.context.close();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/keys');
    ({ page } = visit);
  });
  afterEach(() => visit.context.close());

  it('runs nothing that names, models and errors of the service hold, and reports nothing, on every page', async () => {
    for (const address of addresses) {
      await openPage(page, svc.baseUrl + address);
      expect([address, await ranOf(page), visit.problems]).toEqual([address, null, []]);
    }
    await openPage(page, `${svc.baseUrl}/console/keys`);
    await page.getByRole('link', { name: '<img src=x' }).waitFor();
  });

  it('asks for nothing that the service refuses, on every page', async () => {
    const refused: string[] = [];
    page.on('response', (answer) => {
      const status = answer.status();
      if (status >= 400 && status < 500) refused.push(`${String(status)} ${answer.url()}`);
    });
    for (const address of addresses) await openPage(page, svc.baseUrl + address);
    expect(refused).toEqual([]);
  });

  it('runs nothing, whatever text any field of an answer holds', async () => {
    await page.route('**/api/v1/**', withHostileTexts);
    let shown = 0;
    for (const address of addresses) {
      await openPage(page, svc.baseUrl + address);
      const reports = visit.problems.filter((problem) => /Security Policy|Trusted ?Type/i.test(problem));
      expect([address, await ranOf(page), reports]).toEqual([address, null, []]);
      shown += await page.getByText('<img src=x').count();
    }
    expect(shown).toBeGreaterThan(0);
  });

  it('leaves no secret in storage, in addresses, in titles or in the page', async () => {
    const secrets: Promise<string[]>[] = [];
    page.on('response', (answer) => {
      if (answer.request().method() === 'POST' && answer.url().endsWith('/keys'))
        secrets.push(answer.json().then(({ key }: { key: string }) => [key]));
    });
    const left: string[] = [];
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Of this walk');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog', { name: 'Save your key' })
      .getByRole('button', { name: 'I have saved it' })
      .click();
    for (const address of addresses) {
      await openPage(page, svc.baseUrl + address);
      left.push(await remainsOf(page));
    }
    const session = await visit.context.request.get(`${svc.baseUrl}/auth/session`);
    const { csrf_token } = (await session.json()) as { csrf_token: string };
    const known = [...(await Promise.all(secrets)).flat(), csrf_token, svc.ready.owner_password ?? ''];
    expect(known.length).toBeGreaterThanOrEqual(3);
    for (const secret of known) expect(left.filter((text) => text.includes(secret))).toEqual([]);
  });

  it('has its writes refused without the token of its session', async () => {
    const path = `/api/v1/organizations/${svc.organizationId}/keys`;
    const answer = await visit.context.request.post(svc.baseUrl + path, {
      data: { name: 'Forged', scopes: ['inference:invoke'] },
    });
    expect(answer.status()).toBe(403);
  });
});

/** The value that a hostile text would have set, or null. */
const ranOf = (page: Page): Promise<number | null> => page.evaluate<number | null>('globalThis.ran ?? null');

/** Everything that outlives a page, and what it shows. */
const remainsOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`indexedDB.databases().then((databases) => JSON.stringify([
    databases, { ...localStorage }, { ...sessionStorage }, history.state, document.title, location.href,
    document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value)]))`);

const NAMES = /^(name|display_name|model|provider|region|label|creator)$/;
/** Ids, times and words of the API's own, without which a page shows nothing at all. */
const OWN_WORD = /^([a-z]+_[0-9a-z]{20,}|\d{4}-\d\d-\d\d.*|[a-z_.:]+|[0-9.]+)$/;

/** The service's answer with a hostile text in place of every text that somebody wrote. */
async function withHostileTexts(route: Route): Promise<void> {
  const answer = await route.fetch();
  const body = (await answer.text()).replace(/^$/, 'null');
  const hostile = JSON.parse(body, (name, value: unknown) =>
    typeof value === 'string' && (NAMES.test(name) || !OWN_WORD.test(value)) ? HOSTILE : value,
  ) as unknown;
  await route.fulfill({ response: answer, body: JSON.stringify(hostile) });
}
