import { copiedText } from '@svc/testing';
import { consoles, describePages, stubbedSession } from './stubbed-console';
import { documentedExample } from './documented-examples';

const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const OTHER = 'org_00000000000000000000000000';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const keys = documentedExample('GET', `${BELOW}/keys`)?.body as {
  data: readonly [{ id: string; name: string }];
};
const refused = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: { error: { code: 'rate_limited', message: 'Too many.', retriable: true } },
};
const failed = {
  status: 500,
  body: { error: { code: 'internal', message: 'It failed.', retriable: false } },
};
const retriable = {
  status: 503,
  body: {
    error: {
      code: 'unavailable',
      message: 'Try later.',
      retriable: true,
      request_id: 'req_06dpm2q4x8k3c0v9r7t5w1hzny',
    },
  },
};
const FOCUSED = 'document.activeElement?.textContent ?? ""';

describePages('what every page shares', () => {
  const open = consoles();

  it('opens an id that is pasted into the command menu', async () => {
    const { page } = await open({ path: '/models' });
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Limits' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/keys/${KEY}`);
  });

  it('walks a list by j, k and Enter, unless single letters are turned off', async () => {
    const rows = ['one', 'two'].map((name) => ({ ...keys.data[0], id: `${KEY.slice(0, -3)}${name}`, name }));
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /keys': { body: { ...keys, data: rows } } },
    });
    await page.getByRole('link', { name: 'two' }).waitFor();
    for (const letter of ['j', 'j', 'k']) await page.keyboard.press(letter);
    expect(await page.evaluate<string>(FOCUSED)).toContain('one');
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-letter shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    expect(await page.evaluate<string>(FOCUSED)).not.toContain('two');
  });

  it('has a link that skips to the content, first of all', async () => {
    const { page } = await open({ path: '/keys' });
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>(FOCUSED)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN');
  });

  it('holds another organization in another tab, each named by the path of its calls', async () => {
    const session = stubbedSession() as { organizations: object[] };
    const other = { ...session.organizations[0], id: OTHER, name: 'The other one' };
    const { page, calls } = await open({
      path: '/keys',
      answers: {
        'GET /auth/session': { body: { ...session, organizations: [...session.organizations, other] } },
      },
    });
    await page.getByRole('table').waitFor();
    const asked: string[] = [];
    page.on('request', (call) => asked.push(call.url()));
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole('button', { name: /Organization/ }).click();
    await tab.getByRole('menuitemradio', { name: /The other one/ }).click();
    await tab.waitForURL((url) => url.searchParams.get('org') === OTHER);
    await tab.getByRole('table').waitFor();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('table', { name: 'Models' }).waitFor();
    expect(asked.some((url) => url.includes(BELOW))).toBe(true);
    expect(asked.filter((url) => url.includes(OTHER))).toEqual([]);
    expect(calls.some(({ path }) => path === `/api/v1/organizations/${OTHER}/keys`)).toBe(true);
  });

  it('goes on by itself after a refused rate, once it may', async () => {
    let calls = 0;
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /keys': () => (++calls === 1 ? refused : { body: keys }) },
    });
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    expect(calls).toBe(2);
  });

  it('keeps what it has where reading it again fails, and says as of when it is', async () => {
    let isFailing = false;
    const { page } = await open({
      path: `/requests/req_06dpm2q4x8k3c0v9r7t5w1hzny`,
      answers: {
        'GET /requests/req_06dpm2q4x8k3c0v9r7t5w1hzny': () => {
          if (isFailing) return failed;
          isFailing = true;
          const { body } = documentedExample('GET', `${BELOW}/requests/req_06dpm2q4x8k3c0v9r7t5w1hzny`) ?? {};
          return { body: { ...(body as object), status: 'pending' } };
        },
      },
    });
    await page.getByText(/^as of/).waitFor();
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
  });

  it('says that it is offline, and goes on when the network is back', async () => {
    const { page } = await open({ path: '/models' });
    await page.getByRole('table').waitFor();
    await page.getByRole('link', { name: 'Keys' }).hover();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('You are offline').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('table', { name: 'API keys' }).waitFor();
  });

  it('copies an amount with all its decimals', async () => {
    const { page } = await open({ path: `/requests/req_06dpm2q4x8k3c0v9r7t5w1hzny` });
    const amount = page.locator('data[data-exact]').first();
    await amount.waitFor();
    const exact = await amount.getAttribute('data-exact');
    await amount.selectText();
    const copy = () => page.keyboard.press('Control+c');
    await copiedText(page, copy, (text) => expect(text).toBe(exact));
  });

  it('has a title of the page and the organization, and one heading, which a navigation moves the focus to', async () => {
    const { page } = await open({ path: '/keys' });
    const { organizations } = stubbedSession() as { organizations: [{ name: string }] };
    await page.getByRole('table').waitFor();
    expect(await page.title()).toBe(`Keys · ${organizations[0].name} · Svc`);
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('table', { name: 'Models' }).waitFor();
    expect(await page.title()).toBe(`Models · ${organizations[0].name} · Svc`);
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Models']);
    await page.getByRole('heading', { level: 1, name: 'Models' }).and(page.locator(':focus')).waitFor();
  });

  it('offers nothing that the role may not do, in the navigation and in the command menu', async () => {
    const { page } = await open({ path: '/models', permissions: ['org:read', 'catalog:read'] });
    await page.getByRole('table', { name: 'Models' }).waitFor();
    const shown = await page.getByRole('navigation', { name: 'Console' }).getByRole('link').allInnerTexts();
    expect(shown).toContain('Models');
    for (const title of ['Overview', 'Requests', 'Routing', 'Keys']) expect(shown).not.toContain(title);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill('key');
    await page.getByText('No results.').waitFor();
  });

  it('begins a new key from the command menu', async () => {
    const { page } = await open({ path: '/models' });
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill('create key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
  });

  it.each(['keys', 'requests', 'models'])('moves to the filters of %s by /', async (path) => {
    const { page } = await open({ path: `/${path}` });
    await page.getByRole('table').waitFor();
    await page.keyboard.press('/');
    const filters = page.getByRole('search', { name: 'Filters' });
    expect(await filters.locator(':focus').count()).toBe(1);
  });

  it('shows instants by the clock that was chosen, and by both clocks in their tooltip', async () => {
    const { page } = await open({
      path: '/requests/req_06dpm2q4x8k3c0v9r7t5w1hzny',
      timezone: 'Asia/Tokyo',
    });
    const instant = page.getByRole('main').getByRole('time').first();
    await instant.waitFor();
    const local = await instant.innerText();
    await instant.focus();
    await page.getByRole('tooltip').filter({ hasText: 'UTC' }).waitFor();
    await page.getByRole('radio', { name: 'UTC', exact: true }).check();
    expect(await instant.innerText()).not.toBe(local);
    expect(await instant.innerText()).toContain('UTC');
  });

  it('offers to try again what may succeed then, and to copy the id of what failed', async () => {
    let calls = 0;
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /keys': () => (++calls <= 3 ? retriable : { body: keys }) },
    });
    const alert = page.getByRole('alert');
    const copy = () => alert.getByRole('button', { name: /^Copy/ }).click();
    await copiedText(page, copy, (text) => expect(text).toBe(retriable.body.error.request_id));
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'API keys' }).waitFor();
  });
});
