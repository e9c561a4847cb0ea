import { documentedExample } from '../documented-examples';
import {
  consoles,
  describePages,
  OPERATORS_TOKEN,
  problemsOfLook,
  signIn,
  type StubbedOptions,
} from '../stubbed-console';

const CHECK = 'GET /platform/v1/audit-log';
const LIST = 'GET /platform/v1/organizations';
const refused = {
  status: 401,
  body: {
    error: {
      code: 'invalid_api_key',
      message: 'The operator’s token is missing or not valid.',
      retriable: false,
      request_id: 'req_06dpm2q4x8k3c0v9r7t5w1hzny',
    },
  },
};

describePages('signing in to the operator’s console', () => {
  const openConsole = consoles();
  const open = (options: StubbedOptions = {}) =>
    openConsole({ application: 'operator', isSignedOut: true, ...options });

  it('asks for the token before anything is read, and is accessible', async () => {
    const { page, calls } = await open({ path: '/payments' });
    await page.getByRole('heading', { level: 1, name: 'Operator' }).waitFor();
    expect(await page.title()).toBe('Sign in · Operator · Svc');
    expect(await problemsOfLook(page)).toEqual([]);
    expect(calls).toEqual([]);
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  });

  it('refuses a token that the service refuses, and forgets it', async () => {
    const { page } = await open({ answers: { [CHECK]: refused } });
    const field = page.getByLabel('Operator’s token');
    await field.fill('svc_pt_wrong');
    await field.press('Enter');
    await page.getByText('This is not the operator’s token of this installation.').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await field.and(page.locator(':focus')).count()).toBe(1);
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it.each([
    ['', 'Enter the token.'],
    ['two words', 'This is not a token.'],
    ['tokené', 'This is not a token.'],
  ])('sends no “%s”', async (typed, words) => {
    const { page, calls } = await open();
    await page.getByLabel('Operator’s token').fill(typed);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(words).waitFor();
    expect(calls).toEqual([]);
  });

  it('says what failed where the service does not answer as it should', async () => {
    const { page } = await open({
      answers: {
        [CHECK]: { status: 502, body: '<html>no</html>', headers: { 'content-type': 'text/html' } },
      },
    });
    await page.getByLabel('Operator’s token').fill(OPERATORS_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The service answered with status 502.').waitFor();
    expect(await page.getByLabel('Operator’s token').inputValue()).toBe(OPERATORS_TOKEN);
  });
});

describePages('the token of the operator', () => {
  const openConsole = consoles();
  const open = (options: StubbedOptions = {}) => openConsole({ application: 'operator', ...options });

  it('goes with each call of the operator API, without the console’s cookie, and nowhere else', async () => {
    const { page, calls } = await open({ isSignedOut: true });
    await page.context().addCookies([{ name: 'svc_session', value: 'of-somebody', url: page.url() }]);
    await signIn(page);
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
    expect(calls.length).toBeGreaterThan(1);
    for (const { path, headers } of calls) {
      expect(path).toMatch(/^\/platform\/v1\//);
      expect([headers['authorization'], headers['cookie']]).toEqual([`Bearer ${OPERATORS_TOKEN}`, undefined]);
    }
  });

  it('is kept in no storage, no cookie, no history, no address and no title', async () => {
    const { page } = await open();
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, ' +
        'document.title, document.documentElement.outerHTML, [...document.querySelectorAll("input")].map((one) => one.value)])',
    );
    expect(kept).not.toContain(OPERATORS_TOKEN);
    const databases = await page.evaluate('indexedDB.databases()');
    expect(databases).toEqual([]);
  });

  it('is forgotten when the page is loaded anew, and when it is left and come back to', async () => {
    const { page } = await open({ path: '/health' });
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.reload();
    await page.getByLabel('Operator’s token').waitFor();
    await signIn(page);
    await page.goto('about:blank');
    await page.goBack();
    await page.getByLabel('Operator’s token').waitFor();
  });

  it('is forgotten by signing out, with all that it has read', async () => {
    const { page } = await open({ path: '/payments' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    await Promise.all([page.waitForRequest('**/platform/v1/payments*'), signIn(page)]);
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  });

  it('is asked for again over the page when it is refused; what was read goes on, nothing typed is lost', async () => {
    let isRefused = false;
    const success = documentedExample('GET', '/platform/v1/organizations');
    const { page } = await open({ answers: { [LIST]: () => (isRefused ? refused : (success ?? {})) } });
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
    await page.getByLabel('Search by name, id or owner’s email').fill('acme');
    isRefused = true;
    await page.getByRole('button', { name: 'Search' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'The token is no longer valid' });
    await dialog.waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Operator’s token').fill(OPERATORS_TOKEN);
    isRefused = false;
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=acme');
    expect(await page.getByLabel('Search by name, id or owner’s email').inputValue()).toBe('acme');
  });

  it('is never sent again with a write that was refused', async () => {
    const { page, calls } = await open({
      path: '/?create=true',
      answers: { 'POST /platform/v1/organizations': refused },
    });
    const form = page.getByRole('dialog', { name: 'Create organization' });
    await form.getByLabel('Name').fill('Acme');
    await form.getByLabel('Owner’s e-mail address').fill('ada@example.com');
    await form.getByRole('button', { name: 'Create organization' }).click();
    const asked = page.getByRole('alertdialog', { name: 'The token is no longer valid' });
    await asked.getByLabel('Operator’s token').fill(OPERATORS_TOKEN);
    await asked.getByRole('button', { name: 'Sign in' }).click();
    await asked.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Acme');
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is forgotten after half an hour without a key or a pointer, with the page kept', async () => {
    const { page } = await open();
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
    await page.evaluate('{ const now = Date.now; Date.now = () => now.call(Date) + 31 * 60_000; }');
    await page.keyboard.press('Shift');
    const dialog = page.getByRole('alertdialog', { name: 'You were signed out' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
  });
});
