import { type Browser } from 'playwright-core';
import {
  axeViolations,
  describePages,
  openBrowser,
  openStubbed,
  sidewaysScroll,
  type StubbedConsole,
  stubbedSession,
  type StubbedOptions,
} from './stubbed-console';

const ended = {
  status: 401,
  body: { error: { code: 'not_logged_in', message: 'Log in.', retriable: false } },
};

describePages('the shell', () => {
  let browser: Browser;
  let opened: StubbedConsole | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  afterAll(() => browser.close());

  async function open(options?: StubbedOptions): Promise<StubbedConsole> {
    opened = await openStubbed(browser, options);
    return opened;
  }

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
    ['dark', 375],
  ] as const)(
    'has nothing that axe finds, %s at %i px, menus and dialogs open too',
    async (scheme, width) => {
      const { page, problems } = await open({ path: '/nothing-here', scheme, width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const found = [...(await axeViolations(page))];
      expect(await sidewaysScroll(page)).toBe(0);
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
      found.push(...(await axeViolations(page)));
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await axeViolations(page)));
      expect(found).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  it('sends a visitor without a session to the login page, which comes back to the address', async () => {
    const { page } = await open({ path: '/?org=org_1', answers: { 'GET /auth/session': ended } });
    await page.waitForURL(/\/auth\/login/);
    expect(new URL(page.url()).searchParams.get('return_to')).toBe('/console/?org=org_1');
  });

  it('opens the command menu by keyboard, and gives the focus back', async () => {
    const { page } = await open();
    const account = page.getByRole('button', { name: 'Account' });
    await account.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, id or command' }).fill('nothing of this name');
    await page.getByText('Nothing has this name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await account.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });

  it('keeps the theme and the zone that were chosen', async () => {
    const { page } = await open();
    await page.getByRole('radio', { name: 'UTC', exact: true }).check();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    expect(await page.getByRole('radio', { name: 'UTC', exact: true }).isChecked()).toBe(true);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('names the part of the address that it does not understand', async () => {
    const { page } = await open({ path: '/?colour=red' });
    await page.getByText('was left out: colour').waitFor();
    expect(page.url()).not.toContain('colour');
  });

  it('tells a member who was removed, and offers their other organizations', async () => {
    const { page } = await open({ path: '/?org=org_00000000000000000000000000' });
    await page.getByText('you are not a member of it').waitFor();
    const { organizations } = stubbedSession() as { organizations: { name: string }[] };
    await page.getByRole('link', { name: organizations[0]!.name }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
  });

  it('says that the organization is suspended', async () => {
    const session = stubbedSession() as { organizations: object[] };
    const organizations = session.organizations.map((organization) => ({
      ...organization,
      state: 'suspended',
    }));
    const { page } = await open({
      answers: { 'GET /auth/session': { body: { ...session, organizations } } },
    });
    await page.getByText('This organization is suspended').waitFor();
  });
});
