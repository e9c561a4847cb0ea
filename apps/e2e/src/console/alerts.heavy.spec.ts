import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { notFoundBy } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_ALERT_TICK_SECONDS: '1' } });
});
afterAll(() => svc.stop());

const chat = () =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });

inBrowser('the page of alerts', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/alerts?tab=rules');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  async function createRule(name: string, metric: string, threshold: string): Promise<void> {
    await page.getByRole('button', { name: 'Create rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create alert rule' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: metric, exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill(threshold);
    await dialog.getByRole('textbox', { name: 'Minimum calls' }).fill('1');
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Rule created.').waitFor();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  it('fires on real calls, and shows who has acknowledged it', async () => {
    await createRule('Any call', 'Calls', '1');
    expect((await chat()).status).toBe(200);
    const fired = page
      .getByRole('table', { name: 'Alerts of this rule' })
      .getByRole('link', { name: 'Any call' });
    for (let tries = 0; tries < 40 && !(await fired.isVisible()); tries += 1) {
      await page.waitForTimeout(2_000);
      await page.reload();
      await page.getByRole('heading', { name: 'Alerts of this rule' }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    await fired.click();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Alert acknowledged.').waitFor();
    await page.getByText('Acknowledged by').waitFor();
    await page.getByText(svc.ready.owner_email).first().waitFor();
  });

  it('keeps a threshold to the nano, mutes, tests and deletes', async () => {
    await createRule('Exact', 'Spend', '10.000000001');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alert rule' });
    expect(await dialog.getByRole('textbox', { name: 'Threshold' }).inputValue()).toBe('10.000000001');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'For a day' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
    await page.getByText('Muted until').waitFor();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByText('Rule unmuted.').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByRole('table').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    const notFound = notFoundBy(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('Rule deleted.').waitFor();
    await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor();
    await page.getByRole('link', { name: 'Exact', exact: true }).waitFor({ state: 'detached' });
    expect(notFound).toEqual([]);
  });
});
