import { text } from 'node:stream/consumers';
import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const SETTLED_WITHIN_MS = 30_000;

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_PAYMENTS: 'test' } });
});
afterAll(() => svc.stop());

const api = async (path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(svc.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
};
const call = () =>
  api('/v1/chat/completions', 'POST', {
    model: 'simulator/echo',
    messages: [{ role: 'user', content: 'Hello' }],
  });

/** The exact amounts that the page shows beside these words, in nanos. */
async function figures(page: Page): Promise<readonly bigint[]> {
  const section = page.getByRole('region', { name: 'Balance', exact: true });
  const amounts = await section.locator('data').evaluateAll((all) => all.map((one) => one.textContent));
  return amounts.map((amount) => BigInt(amount.replace(/[$.,]/g, '')));
}

inBrowser('the wallet', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/wallet');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('shows balance, held and available of one answer while calls are under way', async () => {
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let calls = 0; calls < 4; calls++) await call();
      }).concat(
        (async () => {
          for (let looks = 0; looks < 4; looks++) {
            await page.reload();
            await page.getByText('Held by calls under way').waitFor();
            const [balance = 0n, held = 0n, available = 0n] = await figures(page);
            expect(balance - held).toBe(available);
          }
        })(),
      ),
    );
  });

  it('lists charges with the minus of their sign, each linked to its call, and the balance after each', async () => {
    await call();
    await page.reload();
    const charge = page.getByRole('row', { name: /Charge/ }).first();
    await charge
      .getByText(/^−\$0\.\d{4}|> −\$0\.0001/)
      .first()
      .waitFor();
    await charge.getByText(/^minus /).waitFor();
    const { data } = (await api('/api/v1/wallet/transactions?limit=100')) as {
      data: { amount_nanos: number; balance_after_nanos: number }[];
    };
    const { balance_nanos: balance } = await api('/api/v1/wallet');
    expect(data.reduce((sum, { amount_nanos: amount }) => sum + amount, 0)).toBe(balance);
    expect(data[0]?.balance_after_nanos).toBe(balance);
    await charge.getByRole('link').click();
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
  });

  it('narrows the transactions by kind, from the form and from the address', async () => {
    await page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('checkbox', { name: 'Credit granted' }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('kind') === 'credit_grant');
    await page
      .getByRole('row', { name: /Charge/ })
      .first()
      .waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /Credit granted/ })
      .first()
      .waitFor();
    await page.goto(`${svc.baseUrl}/console/wallet?kind=dispute`);
    await page.getByText('No transactions match these filters.').waitFor();
  });

  it('adds credit once the payment provider confirms it, and not before', async () => {
    const { balance_nanos: before } = (await api('/api/v1/wallet')) as { balance_nanos: number };
    await page.getByRole('button', { name: 'Add credit' }).click();
    await page.getByRole('textbox', { name: 'Amount in dollars' }).fill('50');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    const pay = page.getByRole('button', { name: /^Pay/ }).first();
    await pay.waitFor();
    expect((await api('/api/v1/wallet'))['balance_nanos']).toBe(before);
    await pay.click();
    await page.getByText(/^You are back from the payment provider.*pending until/).waitFor();
    await page
      .getByRole('row', { name: /\$50\.00.*Succeeded/ })
      .first()
      .waitFor({ timeout: SETTLED_WITHIN_MS });
    expect((await api('/api/v1/wallet'))['balance_nanos']).toBe(before + 50_000_000_000);
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download receipt/ })
        .first()
        .click(),
    ]);
    expect(await text(await receipt.createReadStream())).toContain('Test mode: no money moved');
  });

  it('saves a card at the payment provider, tops up automatically with it, and ends that with the card', async () => {
    await page.goto(`${svc.baseUrl}/console/wallet?tab=auto-top-up`);
    await page.getByRole('button', { name: 'Save a card' }).click();
    const begun = page.getByRole('dialog', { name: 'Enter the card on the provider’s page' });
    const [provider] = await Promise.all([
      visit.context.waitForEvent('page'),
      begun.getByRole('link', { name: /^Enter the card at / }).click(),
    ]);
    await provider.getByRole('button', { name: 'Save card' }).click();
    await provider.getByText(/^You are back from the payment provider\. The card is listed once/).waitFor();
    await provider
      .getByRole('row', { name: /Visa ending in 4242.*Test mode/ })
      .waitFor({ timeout: SETTLED_WITHIN_MS });
    await provider.getByRole('button', { name: 'Set up' }).click();
    const form = provider.getByRole('dialog', { name: 'Switch on automatic top-up' });
    // Nothing is ever less than nothing: no charge disturbs the other tests.
    await form.getByRole('textbox', { name: /^Charge when less than this is available/ }).fill('0');
    await form.getByRole('button', { name: 'Switch on' }).click();
    await provider.getByRole('button', { name: 'Switch off' }).waitFor();
    expect(await api('/api/v1/wallet/auto-top-up')).toMatchObject({
      enabled: true,
      threshold_nanos: 0,
      amount_nanos: 50_000_000_000,
      monthly_cap_nanos: 500_000_000_000,
    });
    await provider.getByRole('button', { name: 'Remove Visa ending in 4242' }).click();
    const asked = provider.getByRole('alertdialog', { name: 'Remove this card?' });
    await asked.getByText('Automatic top-up charges this card, and is switched off with it.').waitFor();
    await asked.getByRole('button', { name: 'Remove card' }).click();
    await provider.getByText('The card that it charged was removed.').waitFor();
    await provider.getByText('No card is saved. Automatic top-up needs one.').waitFor();
    expect(await api('/api/v1/wallet/auto-top-up')).toMatchObject({
      enabled: false,
      disabled_reason: 'payment_method_deleted',
    });
  });

  it('cancels a payment that was not paid', async () => {
    await api('/api/v1/wallet/top-ups', 'POST', { amount_nanos: 20_000_000_000 });
    await page.goto(`${svc.baseUrl}/console/wallet?tab=payments`);
    // The part above the list has its place then.
    await page.getByText('Held by calls under way').waitFor();
    const row = page.getByRole('row', { name: /\$20\.00/ });
    await row.getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel payment' }).click();
    await row.getByText('Cancelled').waitFor({ timeout: SETTLED_WITHIN_MS });
  });
});
