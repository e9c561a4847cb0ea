import { problemsOfLook, describePages, consoles, stubbedSession } from './stubbed-console';

const ended = {
  status: 401,
  body: { error: { code: 'not_logged_in', message: 'Log in.', retriable: false } },
};

describePages('the shell', () => {
  const open = consoles();

  it('has nothing that axe finds, in each theme and width, menus and dialogs open too', async () => {
    const { page } = await open({ path: '/nothing-here' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('keeps every entry of the menu where it is, whichever is chosen', async () => {
    const { page } = await open({ path: '/wallet' });
    const entries = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    const places = () =>
      entries.evaluateAll((all) =>
        all.map((entry) => {
          const { top, height } = entry.getBoundingClientRect();
          return [entry.textContent, Math.round(top), Math.round(height)];
        }),
      );
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    // Its count is read after the page is drawn.
    await page.getByRole('link', { name: /^Approvals \d+ waiting/ }).waitFor();
    const before = await places();
    expect(before.length).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Provider credentials' }).click();
    await page.getByRole('heading', { level: 1, name: 'Provider credentials' }).waitFor();
    expect(await places()).toEqual(before);
  });

  it('keeps tabs and choices where they are, whichever is chosen', async () => {
    const { page } = await open({ path: '/wallet' });
    const widths = () =>
      page
        .locator('[role=tab], label:has(> input[type=radio])')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    await page.getByRole('tab', { name: 'Payments' }).waitFor();
    const before = await widths();
    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByRole('table', { name: 'Payments' }).waitFor();
    await page.getByRole('radio', { name: 'UTC', exact: true }).check();
    expect(await widths()).toEqual(before);
  });

  it('sends a visitor without a session to the login page, which comes back to the address', async () => {
    const { page } = await open({ path: '/?org=org_1', answers: { 'GET /auth/session': ended } });
    await page.waitForURL(/\/auth\/login/);
    expect(new URL(page.url()).searchParams.get('return_to')).toBe('/console/?org=org_1');
  });

  it('opens the command menu by keyboard, and gives the focus back', async () => {
    const noKeys = { body: { object: 'list', data: [], has_more: false, next_cursor: null } };
    const { page } = await open({ answers: { 'GET /keys': noKeys } });
    const account = page.getByRole('button', { name: 'Account' });
    await account.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill('nothing of this name');
    await page.getByText('No results.').waitFor();
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

  it('asks before a changed form is left, by closing it and by Back, and keeps what was typed', async () => {
    const { page } = await open({ path: '/models' });
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Half done');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    for (const leave of [() => page.keyboard.press('Escape'), () => page.evaluate('history.back()')]) {
      await leave();
      expect(await problemsOfLook(page)).toEqual([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Half done');
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('loads a page anew once where its file is gone after an upgrade, and then says so', async () => {
    const { page } = await open({ expects: /dynamically imported module/ });
    await page.getByRole('link', { name: 'Models' }).waitFor();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route(/assets\/models-.*\.js/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('alert').getByText('This page could not be loaded.').waitFor();
    expect(loads).toBe(1);
    expect(await problemsOfLook(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('table', { name: 'Models' }).waitFor();
  });

  it('says where a dialog cannot be loaded, and goes on', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Models' }).waitFor();
    await page.route(/shortcuts-dialog.*\.js/, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByRole('link', { name: 'Models' }).waitFor();
    await page.keyboard.press('?');
    await page.getByText('A part of the console could not be loaded.').waitFor();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('table', { name: 'Models' }).waitFor();
    await page.unrouteAll();
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
