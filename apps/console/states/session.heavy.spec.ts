import { type Page } from 'playwright-core';
import {
  problemsOfLook,
  describePages,
  consoles,
  type StubbedConsole,
  type StubbedOptions,
  type Stub,
  stubbedSession,
} from './stubbed-console';

const ended = {
  status: 401,
  body: { error: { code: 'not_logged_in', message: 'Log in.', retriable: false } },
};
const refused = (param: string | null): Stub => ({
  status: 403,
  body: { error: { code: 'permission_denied', message: 'It was refused.', param, retriable: false } },
});
interface User {
  readonly id: string;
  readonly email: string;
}
const { user } = stubbedSession() as { user: User };
const renewed = (change: object = {}) => ({
  body: { ...stubbedSession(), csrf_token: 'renewed', ...change },
});

describePages('the session', () => {
  const openConsole = consoles();
  let calls: StubbedConsole['calls'] = [];
  async function open(options: StubbedOptions): Promise<StubbedConsole> {
    const opened = await openConsole(options);
    calls = opened.calls;
    return opened;
  }
  async function logIn(page: Page): Promise<void> {
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill('a long password');
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  const sent = (method: string, end: string) =>
    calls.filter((call) => call.method === method && call.path.endsWith(end));

  it('asks for the password where a read finds that it ended, and sends the read again', async () => {
    let isEnded = true;
    const { page } = await open({
      path: '/keys',
      answers: {
        'GET /keys': () =>
          isEnded ? ended : { body: { object: 'list', data: [], has_more: false, next_cursor: null } },
        'POST /auth/login': () => {
          isEnded = false;
          return renewed();
        },
      },
    });
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    const email = dialog.getByLabel('E-mail address');
    expect(await email.inputValue()).toBe(user.email);
    expect(await email.isEditable()).toBe(false);
    expect(await problemsOfLook(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await logIn(page);
    await page.getByText('No keys yet').waitFor();
    expect(JSON.parse(sent('POST', '/login')[0]?.body ?? '')).toEqual({
      email: user.email,
      password: 'a long password',
    });
  });

  it('keeps what was typed where a write finds that it ended, and never sends the write by itself', async () => {
    let isEnded = true;
    const { page } = await open({
      path: '/keys?create=true',
      answers: {
        'POST /keys': () => (isEnded ? ended : (refused('name') as object)),
        'POST /auth/login': () => {
          isEnded = false;
          return renewed();
        },
      },
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Kept');
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' });
    await create.click();
    await logIn(page);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Kept');
    expect(sent('POST', '/keys')).toHaveLength(1);
    await create.click();
    await page.getByText('It was refused.').waitFor();
    expect(sent('POST', '/keys').map(({ headers }) => headers['x-csrf-token'])).toEqual([
      stubbedSession()['csrf_token'],
      'renewed',
    ]);
  });

  it('loads the page anew where somebody else logs in', async () => {
    const { page } = await open({
      path: '/keys',
      answers: {
        'GET /keys': ended,
        'POST /auth/login': renewed({ user: { ...user, id: 'user_00000000000000000000000000' } }),
      },
    });
    await page.getByRole('alertdialog').waitFor();
    const loaded = page.waitForEvent('load');
    await logIn(page);
    await loaded;
  });

  it('loads the page anew where another tab logs out', async () => {
    let isOut = false;
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /auth/session': () => (isOut ? ended : { body: stubbedSession() }) },
    });
    await page.getByRole('table').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Account' }).click();
    isOut = true;
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(/\/auth\/login\?return_to=%2Fconsole%2Fkeys/);
  });

  it('warns 15 minutes before it ends', async () => {
    const expiresAt = new Date(Date.now() + 14 * 60_000).toISOString();
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /auth/session': { body: { ...stubbedSession(), expires_at: expiresAt } } },
    });
    await page.getByText('Your session ends at').waitFor();
    await page.getByRole('button', { name: 'Log in again' }).click();
    await page.getByRole('alertdialog', { name: 'Log in again' }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('reads a new CSRF token once where the old one is refused, and repeats the write once', async () => {
    const { page } = await open({
      path: '/keys?create=true',
      answers: { 'POST /keys': refused('X-CSRF-Token') },
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Twice');
    const before = sent('GET', '/auth/session').length;
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('It was refused.').waitFor();
    expect(sent('POST', '/keys')).toHaveLength(2);
    expect(sent('GET', '/auth/session')).toHaveLength(before + 1);
  });

  it('takes the controls of a demoted role away after one refused call', async () => {
    let isDemoted = false;
    const { page } = await open({
      path: '/keys',
      answers: {
        'GET /auth/session': () => ({
          body: stubbedSession({
            role: 'viewer',
            ...(isDemoted && { permissions: ['org:read', 'key:read'] }),
          }),
        }),
        'POST /keys': refused(null),
      },
    });
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Too late');
    isDemoted = true;
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('button', { name: 'Create key', includeHidden: true })
      .first()
      .waitFor({ state: 'detached' });
  });

  it('tells a member who is removed while the page is open', async () => {
    const session = stubbedSession() as { organizations: { id: string; name: string }[] };
    const other = {
      ...session.organizations[0],
      id: 'org_00000000000000000000000000',
      name: 'The other one',
    };
    let isRemoved = false;
    const { page } = await open({
      path: '/keys?create=true',
      answers: {
        'GET /auth/session': () => ({
          body: { ...session, organizations: isRemoved ? [other] : [...session.organizations, other] },
        }),
        'POST /keys': refused(null),
      },
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Too late');
    isRemoved = true;
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText(`You are no longer a member of ${session.organizations[0]?.name ?? ''}.`).waitFor();
    await page.getByRole('link', { name: 'The other one' }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
  });
});
