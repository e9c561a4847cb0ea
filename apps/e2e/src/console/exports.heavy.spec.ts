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

inBrowser('the page of exports', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/exports');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('writes a file without a reload, gives a link once, and takes both away', async () => {
    await page.getByRole('button', { name: 'Create export' }).click();
    const form = page.getByRole('dialog', { name: 'Create export' });
    await form.getByRole('combobox', { name: 'Data' }).click();
    await page.getByRole('option', { name: 'Audit log' }).click();
    await form.getByLabel('From').fill('');
    await form.getByLabel('To', { exact: true }).fill('');
    await form.getByRole('radio', { name: 'None' }).check();
    await form.getByRole('button', { name: 'Create export' }).click();
    await page.getByText('Export requested.').waitFor();
    await page.getByText('Completed').waitFor({ timeout: 60_000 });

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Audit log' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^audit_log-exp_\w+\.csv$/);
    await page.getByRole('button', { name: 'Get link to Audit log' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your link' });
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    const file = await fetch(link);
    expect([file.status, (await file.text()).split('\n')[0]]).toEqual([
      200,
      expect.stringContaining('action'),
    ]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('signature=');

    await page.getByRole('button', { name: 'Delete Audit log' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete export' }).click();
    await page.getByText('Export deleted.').waitFor();
    await page.getByText('No exports yet').waitFor();
    expect((await fetch(link)).status).toBe(404);
  });

  it('shows a range that the API refuses at its field', async () => {
    await page.getByRole('button', { name: 'Create export' }).click();
    const form = page.getByRole('dialog', { name: 'Create export' });
    await form.getByLabel('From').fill('2020-01-01T00:00');
    await form.getByRole('button', { name: 'Create export' }).click();
    await form.getByLabel('From').and(page.locator('[aria-invalid="true"]')).waitFor();
  });
});
