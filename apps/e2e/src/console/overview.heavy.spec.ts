import { text } from 'node:stream/consumers';
import { type Browser, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { inBrowser, openBrowser } from '../harness/browser';
import { directed, openAiClient, post, svcOf } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const CALLS = { 'simulator/echo': 3, 'simulator/echo-mini': 2 };

interface Sums {
  readonly total: { readonly customer_nanos: number; readonly failed: number };
}
interface Refusals {
  readonly total: { readonly count: number };
}
interface Requests {
  readonly data: readonly object[];
}
interface Transactions {
  readonly data: readonly { readonly amount_nanos: number; readonly request_id: string | null }[];
}

/** Refusals are counted within 10 s, and later on a busy machine. */
const COUNTED_WITHIN_MS = 30_000;
/** Hours are summed from minutes that are over. */
const SUMMED_WITHIN_MS = 120_000;

/** Nine decimals, as a cell of a table shows an amount. */
const exact = (nanos: number): string => `$${(nanos / 1e9).toFixed(9)}`;

/** The file that the page saves. The browser may run elsewhere, so it is read through it. */
async function downloadedCsv(page: Page): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  return text(await (await saving).createReadStream());
}

inBrowser('the overview', () => {
  let svc: Svc;
  let browser: Browser;
  let visit: ConsoleVisit;
  /** The cost of the calls of each model, by their answers. */
  const costs = new Map<string, number>();
  let spent = 0;
  beforeAll(async () => {
    [svc, browser] = await Promise.all([startSvc(), openBrowser()]);
    for (const [model, count] of Object.entries(CALLS)) {
      for (let nth = 0; nth < count; nth += 1) {
        const words = { reply_words: 5 + nth };
        const answer = await openAiClient(svc).chat.completions.create({
          model,
          messages: [directed(words)],
        });
        costs.set(model, (costs.get(model) ?? 0) + svcOf(answer).cost.customer_nanos);
      }
    }
    spent = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
    await eventually(async () => {
      expect((await read<Sums>('/api/v1/usage?group_by=hour')).total.customer_nanos).toBe(spent);
    }, SUMMED_WITHIN_MS);
    visit = await visitConsole(browser, svc);
  });
  afterAll(async () => {
    await browser.close();
    await svc.stop();
  });

  async function read<Answer>(path: string): Promise<Answer> {
    const answer = await fetch(svc.baseUrl + path, { headers: { authorization: `Bearer ${svc.apiKey}` } });
    return (await answer.json()) as Answer;
  }

  it('says to the nano what the calls cost, on the card, in the chart, in the table, in the file and in the wallet', async () => {
    const { page, problems } = visit;
    const table = page.getByRole('table', { name: 'Usage by model' });
    await table.getByRole('row', { name: `Total ${exact(spent)}` }).waitFor();
    expect((await read<Sums>('/api/v1/usage')).total.customer_nanos).toBe(spent);

    const chart = page.getByRole('region', { name: 'Spend by hour', exact: true });
    await chart.getByRole('button', { name: 'Show as table' }).click();
    const [echo = 0, mini = 0] = ['simulator/echo', 'simulator/echo-mini'].map((model) => costs.get(model));
    const sums = [...[echo, mini].sort((one, two) => two - one), spent].map(exact).join(' ');
    await chart.getByRole('row', { name: `Total ${sums}` }).waitFor();

    const card = page
      .getByRole('list', { name: 'Summary' })
      .getByRole('listitem')
      .filter({ hasText: /^Spend/ });
    await card.getByText('$').first().hover();
    await page
      .getByRole('tooltip')
      .getByText(`${spent.toLocaleString('en-US')} nanos`)
      .waitFor();

    const transactions = await read<Transactions>('/api/v1/wallet/transactions?limit=100');
    const charged = transactions.data.filter(({ request_id }) => request_id !== null);
    expect(charged.reduce((sum, { amount_nanos }) => sum - amount_nanos, 0)).toBe(spent);
    expect(problems).toEqual([]);
  });

  it('gives a file whose rows add up to the same', async () => {
    const { page } = visit;
    const [header = '', ...rows] = (await downloadedCsv(page)).trimEnd().split('\r\n');
    const column = header.split(',').indexOf('customer_nanos');
    const models = header.split(',').indexOf('model');
    const inFile = rows.map((row) => row.split(',')).map((cells) => [cells[models], Number(cells[column])]);
    expect(new Map(inFile as [string, number][])).toEqual(costs);
  });

  it('follows the address, and the controls change it', async () => {
    const { page, context } = await visitConsole(browser, svc, '/console/?period=7d&group=api_key');
    await page.getByRole('table', { name: 'Usage by key' }).waitFor();
    expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Today (UTC)' }).check();
    const groupBy = page.getByRole('combobox', { name: 'Group by' });
    await groupBy.press('ArrowDown');
    await page.getByRole('option', { name: 'By provider' }).waitFor();
    await page.keyboard.press('Escape');
    // Its list was loaded meanwhile; the focus is where it was.
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await groupBy.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await groupBy.click();
    await page.getByRole('option', { name: 'By provider' }).click();
    await page.getByRole('table', { name: 'Usage by provider' }).waitFor();
    expect(new URL(page.url()).searchParams.get('period')).toBe('today');
    await page.getByRole('row', { name: /^simulator / }).waitFor();
    await page.goBack();
    await page.getByRole('table', { name: 'Usage by key' }).waitFor();
    await context.close();
  });

  it('sums up calls by end user, and leads to the calls of one', async () => {
    for (const endUser of ['customer-1', 'customer-1', 'customer-2']) {
      await openAiClient(svc).chat.completions.create(
        { model: 'simulator/echo', messages: [directed({ reply_words: 5 })] },
        { headers: { 'Svc-End-User': endUser } },
      );
    }
    const { page, context, problems } = await visitConsole(
      browser,
      svc,
      '/console/?group=end_user&period=today',
    );
    const table = page.getByRole('table', { name: 'Usage by end user' });
    await table.getByRole('row', { name: /^customer-1 eu_/ }).waitFor();
    const { total } = await read<Sums>('/api/v1/usage?group_by=end_user');
    await table
      .getByRole('row', { name: `Total of calls with an end user ${exact(total.customer_nanos)}` })
      .waitFor();
    const file = await downloadedCsv(page);
    expect(file).toMatch(/^day,end_user_id,end_user,/);
    expect(file).toContain(',customer-2,');
    await page.getByRole('searchbox', { name: 'End user' }).fill('customer-2');
    await page.keyboard.press('Enter');
    await table.getByRole('row', { name: /^customer-1/ }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'customer-2' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(await page.getByRole('table', { name: 'Requests' }).getByRole('row').count()).toBe(2);
    expect(problems).toEqual([]);
    await context.close();
  });

  async function call(model: string, says: Parameters<typeof directed>[0]): Promise<number> {
    const body = { model, max_tokens: 10, messages: [directed(says, 'Hello')] };
    const answer = await post(svc, '/v1/chat/completions', body);
    await answer.text();
    return answer.status;
  }

  it('counts as failed exactly the calls that the list behind its error rate shows', async () => {
    // A refusal for what the call asked is no failure of the service, though the call has failed.
    for (const status of [400, 400, 400]) expect(await call('simulator/echo', { status })).toBe(400);
    for (const status of [500, 500])
      expect(await call('simulator/echo', { status })).toBeGreaterThanOrEqual(500);
    await eventually(async () => {
      expect((await read<Requests>('/api/v1/requests?status=failed')).data).toHaveLength(5);
    });
    expect((await read<Sums>('/api/v1/usage')).total.failed).toBe(2);

    const { page, context, problems } = await visitConsole(browser, svc, '/console/?period=today');
    const card = page
      .getByRole('list', { name: 'Summary' })
      .getByRole('listitem')
      .filter({ hasText: /^Error rate/ });
    await card.getByText('2 failed', { exact: true }).waitFor();
    await card.getByText(/^Failed: no provider answered, or the answer broke off\./).waitFor();
    await card.getByRole('link', { name: 'Error rate' }).click();
    const table = page.getByRole('table', { name: 'Requests' });
    await table.waitFor();
    await page.getByRole('button', { name: 'Clear Error rate' }).waitFor();
    expect(await table.getByRole('row').count()).toBe(1 + 2);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('leads to the calls that were refused, and from each to its key', async () => {
    expect(await call('simulator/unknown', { reply_words: 1 })).toBe(404);
    await eventually(async () => {
      expect((await read<Refusals>('/api/v1/usage/refusals')).total.count).toBe(1);
    }, COUNTED_WITHIN_MS);
    const { page, context, problems } = await visitConsole(browser, svc, '/console/?period=today');
    await page.getByRole('link', { name: 'Refused', exact: true }).click();
    const table = page.getByRole('table', { name: 'Refused calls' });
    await table.getByRole('link', { name: 'not_found' }).click();
    await page.getByRole('button', { name: 'Clear Reason' }).waitFor();
    expect(new URL(page.url()).searchParams.get('code')).toBe('not_found');
    expect(await table.getByRole('row').count()).toBe(1 + 1);
    await table.getByRole('link', { name: 'Open key' }).click();
    const section = page.getByRole('region', { name: 'Refused in the last 24 hours' });
    await section.getByText(/^unknown model: 1 call, the last /).waitFor();
    await section.getByRole('link', { name: 'unknown model' }).click();
    await table.getByText('404').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
