import { type Browser, type Locator, type Page } from 'playwright-core';
import { catalogOf, testModel } from '../harness/catalog-file';
import { inBrowser, openBrowser } from '../harness/browser';
import { directed, post } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { newTenant } from '../distributed/tenant';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const ROUTE = '/v1/chat/completions';
const UNKNOWN = 'req_06dpm2q4x8k3c0v9r7t5w1hzny';

let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  simulator = await startSimulator();
  const { url } = simulator;
  svc = await startSvc({
    catalog: catalogOf({ name: 'first', url, region: 'eu' }, { name: 'second', url, region: 'us' }),
  });
});
afterAll(async () => {
  await svc.stop();
  await simulator.stop();
});

let conversations = 0;

/** @returns the id of a call, the first of its conversation, whose first attempt failed, and whose second answered. */
async function callThatFellBack(): Promise<string> {
  const messages = [directed({ only_model: 'first-model', status: 502 }, `Hello ${String(++conversations)}`)];
  const answer = await post(svc, ROUTE, { model: testModel, max_tokens: 100, messages });
  expect(answer.status).toBe(200);
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

async function read(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${svc.apiKey}` },
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

inBrowser('the pages of requests', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/requests');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('explain a fallback: both attempts, and a cost that equals the ledger entry', async () => {
    const id = await callThatFellBack();
    await page.goto(`${svc.baseUrl}/console/requests/${id}`);
    const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    await attempts.nth(1).waitFor();
    expect(await attempts.count()).toBe(2);
    await attempts.nth(0).getByText('502 provider error').waitFor();
    await attempts.nth(1).getByText('answered', { exact: true }).waitFor();
    await page.getByText('Final', { exact: true }).waitFor();
    const { cost } = (await read(`/requests/${id}`)) as {
      cost: { customer_nanos: number; transaction_id: string; lines: { amount: string }[]; rounding: string };
    };
    const tenths = [...cost.lines.map(({ amount }) => amount), cost.rounding].reduce(
      (sum, decimal) => sum + Math.round(Number(decimal) * 10),
      0,
    );
    expect(tenths).toBe(cost.customer_nanos * 10);
    const { data } = (await read('/wallet/transactions')) as { data: { id: string; amount_nanos: number }[] };
    const entry = data.find((transaction) => transaction.id === cost.transaction_id);
    expect(entry?.amount_nanos).toBe(-cost.customer_nanos);
    const nanos = new Intl.NumberFormat('en-US').format(cost.customer_nanos);
    await page.getByText(`${nanos} nanos`).waitFor();
    await page.getByText(cost.transaction_id).waitFor();
  });

  it('show a new call in the live list', async () => {
    await page.getByRole('switch', { name: 'Live' }).click();
    const id = await callThatFellBack();
    await page.locator(`a[href*="${id}"]`).first().waitFor();
    await page.getByText('2 attempts').first().waitFor();
  });

  it('narrow the list by a press on a value, and Back widens it again', async () => {
    await callThatFellBack();
    await page.reload();
    const table = page.getByRole('table', { name: 'Requests' });
    await table.getByRole('link', { name: '2 attempts' }).first().click();
    await page.getByRole('button', { name: 'Clear Attempts' }).waitFor();
    expect(page.url()).toContain('attempts=2');
    await page.goBack();
    await page.getByRole('button', { name: 'Clear Attempts' }).waitFor({ state: 'detached' });
    await table.waitFor();
  });

  it('open a call, and the calls that share a value with it, in another tab where the reader asks for one', async () => {
    const id = await callThatFellBack();
    await page.reload();
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });
    const openApart = async (link: Locator): Promise<Page> => {
      const opened = visit.context.waitForEvent('page');
      await link.click({ modifiers: ['ControlOrMeta'] });
      return opened;
    };
    const narrowed = await openApart(row.getByRole('link', { name: '2 attempts' }));
    await narrowed.getByRole('button', { name: 'Clear Attempts' }).waitFor();
    const call = await openApart(row.locator(`a[href*="${id}"]`));
    await call.getByRole('dialog', { name: 'Request' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('lead from a call to the other calls of its end user, by name and id', async () => {
    const callFor = async (endUser: string) => {
      const body = { model: testModel, max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
      const answer = await post(svc, ROUTE, body, { headers: { 'svc-end-user': endUser } });
      expect(answer.status).toBe(200);
      await answer.text();
      return answer.headers.get('x-request-id') ?? '';
    };
    const ids = [await callFor('customer-4711'), await callFor('customer-4711')];
    const other = await callFor('customer-4712');
    await page.goto(`${svc.baseUrl}/console/requests/${ids[0] ?? ''}`);
    await page.getByText('Organization, default').waitFor();
    await page.getByRole('link', { name: 'customer-4711' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    for (const id of ids) await page.locator(`a[href*="open=${id}"]`).first().waitFor();
    expect(await page.locator(`a[href*="open=${other}"]`).count()).toBe(0);
    await page.goto(`${svc.baseUrl}/console/requests?end_user=customer-4712`);
    await page.locator(`a[href*="open=${other}"]`).first().waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it('open a call beside the list by keyboard', async () => {
    await callThatFellBack();
    await page.reload();
    const first = page.getByRole('row').nth(1).getByRole('link').first();
    await first.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Request' }).getByRole('list', { name: 'Attempts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  });

  it('say the same of an unknown call as of another organization’s', async () => {
    const others = await newTenant(svc, 1_000_000_000n);
    const messages = [{ role: 'user', content: 'Hello' }];
    const call = await post(
      svc,
      ROUTE,
      { model: testModel, max_tokens: 10, messages },
      {
        headers: { authorization: `Bearer ${others.apiKey}` },
      },
    );
    expect(call.status).toBe(200);
    const said: string[] = [];
    for (const id of [UNKNOWN, call.headers.get('x-request-id') ?? '']) {
      await page.goto(`${svc.baseUrl}/console/requests/${id}`);
      await page.getByText('This request was not found').waitFor();
      said.push((await page.getByRole('main').innerText()).replaceAll(id, ''));
    }
    expect(said[1]).toBe(said[0]);
  });
});
