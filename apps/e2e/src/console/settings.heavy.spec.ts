import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { newMember } from './new-member';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

inBrowser('the page of settings', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/settings');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('renames the organization everywhere, without a reload', async () => {
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename organization' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Acme of tomorrow');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Organization renamed.').waitFor();
    await page.getByRole('button', { name: /Organization.*Acme of tomorrow/ }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Settings · Acme of tomorrow · Svc');
  });

  it('changes the password, which ends the other sessions and keeps this one', async () => {
    const visitor = await newMember(browser, svc, 'viewer', 'pat@example.com');
    const first = await visitConsole(browser, svc, '/console/settings', { visitor });
    const second = await visitConsole(browser, svc, '/console/settings', { visitor });
    const next = 'three quiet hedgehogs';
    try {
      await first.page.getByRole('button', { name: 'Change password' }).click();
      const dialog = first.page.getByRole('dialog', { name: 'Change password' });
      await dialog.getByLabel('Current password').fill(visitor.password);
      await dialog.getByLabel('New password').fill(next);
      await dialog.getByLabel('Confirm password').fill(next);
      await dialog.getByRole('button', { name: 'Change password' }).click();
      await first.page.getByText('Password changed.').waitFor();
      await first.page.getByText('This is your only session.').waitFor();
      await second.page.getByRole('link', { name: 'Keys' }).click();
      await second.page.getByText('Your session has ended').waitFor();
    } finally {
      await first.context.close();
      await second.context.close();
    }
    const again = await visitConsole(browser, svc, '/console/settings', {
      visitor: { ...visitor, password: next },
    });
    await again.context.close();
  });

  it('lets a member leave, and refuses the last owner in the words of the API', async () => {
    await page.getByRole('button', { name: 'Leave organization' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Leave organization' });
    const name = (await asked.getByText(/^Type .* to confirm$/).innerText()).slice(6, -12);
    await asked.getByRole('textbox').fill(name);
    await asked.getByRole('button', { name: 'Leave organization' }).click();
    await asked.getByRole('alert').getByText(/owner/).waitFor();
  });
});
