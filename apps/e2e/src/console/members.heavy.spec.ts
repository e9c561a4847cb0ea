import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { ownerOf, visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { newMember } from './new-member';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

inBrowser('the page of members', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/members');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  const actionsOf = (email: string) => page.getByRole('button', { name: `Actions of ${email}` });

  async function act(email: string, item: string): Promise<void> {
    await actionsOf(email).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  it('keeps the last owner, and says why', async () => {
    const { email } = ownerOf(svc);
    await actionsOf(email)
      .and(page.getByRole('button', { disabled: true }))
      .waitFor();
    expect(await actionsOf(email).getAttribute('aria-description')).toContain('This is the last owner.');
  });

  it('invites by a link, which makes a member, and revokes an invitation', async () => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('lin@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invitation link' });
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    expect(link).toContain('/auth/invitations/svc_inv_');
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page
      .getByRole('row', { name: /lin@example\.com/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click();
    await page.getByText('Invitation revoked.').waitFor();
    expect((await fetch(link)).status).not.toBe(200);
  });

  it('takes the controls of a member who is demoted in another browser, without a reload', async () => {
    const visitor = await newMember(browser, svc, 'security_admin', 'sam@example.com');
    const other = await visitConsole(browser, svc, '/console/keys', { visitor });
    try {
      await other.page.getByRole('button', { name: 'Create key' }).waitFor();
      await page.reload();
      await act('sam@example.com', 'Change role');
      await page.getByRole('radio', { name: /^Viewer/ }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
      await page.getByText('Role changed.').waitFor();
      await other.page.getByRole('button', { name: 'Create key' }).click();
      await other.page.getByRole('textbox', { name: 'Name' }).fill('Refused');
      await other.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await other.page.getByRole('button', { name: 'Create key' }).first().waitFor({ state: 'detached' });
    } finally {
      await other.context.close();
    }
  });

  it('tells a removed member so', async () => {
    const visitor = await newMember(browser, svc, 'viewer', 'rob@example.com');
    const other = await visitConsole(browser, svc, '/console/keys', { visitor });
    try {
      await other.page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
      await page.reload();
      await act('rob@example.com', 'Remove');
      const asked = page.getByRole('alertdialog', { name: 'Remove member' });
      await asked.getByLabel('Type “rob@example.com” to confirm').fill('rob@example.com');
      await asked.getByRole('button', { name: 'Remove member' }).click();
      await page.getByText('Member removed.').waitFor();
      await other.page.getByRole('link', { name: 'Models' }).click();
      await other.page.getByText(/You are (no longer|not) a member/).waitFor();
    } finally {
      await other.context.close();
    }
  });
});
