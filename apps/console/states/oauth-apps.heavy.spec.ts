import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const APP = 'oapp_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission = /Your role, Viewer, cannot see OAuth apps\./;
const appOf = (change: object) => ({
  ...(documentedExample('GET', `${BELOW}/oauth-apps/${APP}`)?.body as object),
  state: 'active',
  revoked_at: null,
  ...change,
});
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});

describePages('the page of OAuth apps', () => {
  describeStates({
    path: '/oauth-apps',
    reads: 'GET /oauth-apps',
    heading: 'OAuth apps',
    shown: (page) => page.getByRole('table', { name: 'OAuth apps' }).waitFor(),
    noPermission,
    overlays: [
      async (page) => {
        await page.getByRole('button', { name: 'Register app' }).click();
        await page.getByRole('checkbox').first().waitFor();
      },
    ],
  });
});

describePages('the grants of OAuth apps', () => {
  describeStates({
    path: '/oauth-apps?tab=grants',
    reads: 'GET /oauth-apps/grants',
    heading: 'OAuth apps',
    shown: (page) => page.getByRole('table', { name: 'Grants' }).waitFor(),
    noPermission,
  });
});

describePages('the page of one OAuth app', () => {
  describeStates({
    path: `/oauth-apps/${APP}`,
    reads: `GET /oauth-apps/${APP}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'What members consent to' }).waitFor(),
    noPermission,
    gone: 'This app was not found',
    answers: { [`GET /oauth-apps/${APP}`]: { body: appOf({}) } },
    overlays: [
      (page) => page.getByRole('button', { name: 'Revoke' }).click(),
      (page) => page.getByRole('button', { name: 'Edit' }).click(),
    ],
  });
});

describePages('what OAuth apps show', () => {
  const open = consoles();

  it('says what an app is for, where there is none, and that no grant matches a filter', async () => {
    const { page } = await open({
      path: '/oauth-apps',
      answers: { 'GET /oauth-apps': listOf([]), 'GET /oauth-apps/grants': listOf([]) },
    });
    await page.getByText('No OAuth apps yet').waitFor();
    await page.getByRole('tab', { name: 'Grants' }).click();
    await page.getByText('No grants yet').waitFor();
    await page.goto(page.url().replace(/\/oauth-apps.*/, '/oauth-apps?tab=grants&state=revoked'));
    await page.getByText('No grants match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No grants yet').waitFor();
  });

  it('checks redirect URIs as they are typed, and sends one for each line', async () => {
    const { page, calls } = await open({ path: '/oauth-apps?create=true' });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Charts');
    const uris = dialog.getByRole('textbox', { name: 'Redirect URIs' });
    await uris.fill('http://charts.example/callback');
    await dialog
      .getByText('http://charts.example/callback must be https, or http on a loopback host.')
      .waitFor();
    await uris.fill('https://charts.example/callback\nhttp://localhost:8080/cb');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: 'Register app' }).click();
    const saved = page.getByRole('dialog', { name: 'Save the client secret' });
    const secret = await saved.getByRole('textbox', { name: 'Client secret' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await saved.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    const body = JSON.parse(calls.find(({ method }) => method === 'POST')?.body ?? '{}') as object;
    expect(body).toMatchObject({
      app_type: 'confidential',
      redirect_uris: ['https://charts.example/callback', 'http://localhost:8080/cb'],
      homepage: null,
    });
  });

  it('shows no secret of a public app, and cannot rotate it', async () => {
    const { page } = await open({
      path: `/oauth-apps/${APP}`,
      answers: { [`GET /oauth-apps/${APP}`]: { body: appOf({ app_type: 'public', has_secret: false }) } },
    });
    const rotate = page.getByRole('button', { name: 'Rotate secret' });
    await rotate.waitFor();
    expect(await rotate.getAttribute('aria-disabled')).toBe('true');
    expect(await rotate.getAttribute('aria-description')).toBe('A public app has no secret.');
    expect(await page.getByRole('region', { name: 'Exchange the code with curl' }).innerText()).not.toContain(
      'client_secret',
    );
  });

  it('names the grants that end when an app is revoked, and wants its name', async () => {
    const grant = (documentedExample('GET', `${BELOW}/oauth-apps/grants`)?.body as { data: [object] })
      .data[0];
    const { page } = await open({
      path: `/oauth-apps/${APP}`,
      answers: {
        [`GET /oauth-apps/${APP}`]: { body: appOf({ name: 'Charts' }) },
        'GET /oauth-apps/grants': listOf([grant, grant]),
      },
    });
    await page.getByRole('button', { name: 'Revoke' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByText(/^2 of its grants here are active/).waitFor();
    expect(await asked.getByRole('button', { name: 'Revoke app' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
  });

  it('shows hostile names and addresses as plain text', async () => {
    const name = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: `/oauth-apps/${APP}`,
      answers: { [`GET /oauth-apps/${APP}`]: { body: appOf({ name, homepage: 'javascript:alert(1)' }) } },
    });
    await page.getByRole('heading', { name: '<img src=x onerror="document.title=1">⟨U+202E⟩' }).waitFor();
    expect(await page.locator('img, a[href^="javascript:"]').count()).toBe(0);
  });

  it('offers nothing to change to a role that cannot, and no grants to one that may not read them', async () => {
    const { page } = await open({ path: `/oauth-apps`, permissions: ['org:read', 'oauth_app:read'] });
    await page.getByRole('table', { name: 'OAuth apps' }).waitFor();
    expect(await page.getByRole('button', { name: 'Register app' }).count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
  });
});
