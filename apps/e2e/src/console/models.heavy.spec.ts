import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const MODEL = 'simulator/echo';

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
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}

interface Catalog {
  readonly data: readonly {
    readonly id: string;
    readonly endpoints: readonly { readonly region: string }[];
  }[];
}

inBrowser('the pages of models', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    visit = await visitConsole(browser, svc, '/console/models');
    ({ page } = visit);
  });
  afterAll(async () => {
    await visit.context.close();
    await browser.close();
    expect(visit.problems).toEqual([]);
  });

  it('list every model, find one by a part of its id, and fill it in where a call is made', async () => {
    const { data } = await api<Catalog>('GET', '/catalog/models?limit=100');
    await page.getByRole('table', { name: 'Models' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(data.length);
    await page.getByRole('searchbox').fill(MODEL);
    await page.waitForURL((url) => url.searchParams.get('q') === MODEL);
    await page.getByRole('link', { name: 'Simulator Echo', exact: true }).click();
    await page.getByRole('link', { name: 'Use this model' }).click();
    await page.getByRole('region', { name: 'curl' }).getByText(`"${MODEL}"`).waitFor();
  });

  it('say by policy version and field why an endpoint cannot be called', async () => {
    const { data } = await api<Catalog>('GET', '/catalog/models?limit=100');
    const regions = data.find(({ id }) => id === MODEL)?.endpoints.map(({ region }) => region) ?? [];
    const region = regions[0] ?? '';
    const { version } = await api<{ version: number }>('PUT', '/policy', { denied_regions: [region] });
    await page.goto(`${svc.baseUrl}/console/models/${MODEL}`);
    const sentence = `Denied by policy version ${String(version)}: region ${region}.`;
    await page.getByText(sentence).first().waitFor();
    await page.getByText('denied_regions').first().waitFor();
    await page.getByRole('link', { name: 'Change it in Routing' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Routing' }).waitFor();
    await api('PUT', '/policy', {});
  });
});
