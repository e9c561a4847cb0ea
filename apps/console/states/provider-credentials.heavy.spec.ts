import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const CREDENTIAL = 'cred_06dpm2q4x8k3c0v9r7t5w1hzny';
const OTHER = 'cred_06dpm2q4x8k3c0v9r7t5w1hzn0';
const THIRD = 'cred_06dpm2q4x8k3c0v9r7t5w1hzn1';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const [example] = (
  documentedExample('GET', `${BELOW}/provider-credentials`)?.body as {
    data: [{ label: string; state: string }];
  }
).data;
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const [model] = (
  documentedExample('GET', `${BELOW}/catalog/models`)?.body as {
    data: [{ endpoints: [{ provider: string }] }];
  }
).data;
const { provider } = model.endpoints[0];
const credential = { ...example, provider, state: 'active', label: 'Ours' };
const SECRET = 'sk-never-shown-again-0123456789';

describePages('the page of provider credentials', () => {
  describeStates({
    path: '/provider-credentials',
    reads: 'GET /provider-credentials',
    heading: 'Provider credentials',
    shown: (page) => page.getByRole('table', { name: 'Credentials by provider' }).waitFor(),
    noPermission: /^Your role, Viewer, cannot see provider credentials\./,
    answers: { 'GET /provider-credentials': listOf([credential]) },
    overlays: [
      (page) => page.getByRole('button', { name: 'Add credential' }).click(),
      (page) => page.getByRole('button', { name: 'Actions of Ours' }).click(),
    ],
  });
});

describePages('the list of provider credentials', () => {
  const open = consoles();

  it('has all its columns in view at 1280 px', async () => {
    const { page } = await open({
      path: '/provider-credentials',
      answers: { 'GET /provider-credentials': listOf([credential]) },
    });
    await page.getByRole('button', { name: 'Actions of Ours' }).waitFor();
    const { x = 0, width = 0 } =
      (await page.getByRole('button', { name: 'Actions of Ours' }).boundingBox()) ?? {};
    expect(x + width).toBeLessThan(1248);
  });

  it('says what a credential is for, where there is none, and that none matches a filter', async () => {
    const answers = { 'GET /provider-credentials': listOf([]) };
    const { page } = await open({ path: '/provider-credentials', answers });
    await page.getByText('No credentials of your own').waitFor();
    await page.goto(page.url().replace(/\/provider-credentials.*/, '/provider-credentials?state=revoked'));
    await page.getByText('No provider credentials match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No credentials of your own').waitFor();
  });

  it('is read by a developer without a button', async () => {
    const { page } = await open({
      path: '/provider-credentials',
      role: 'developer',
      permissions: ['org:read', 'credential:read'],
      answers: { 'GET /provider-credentials': listOf([credential]) },
    });
    await page.getByRole('table', { name: 'Provider credentials' }).waitFor();
    expect(await page.getByRole('button', { name: /add credential|actions/i }).count()).toBe(0);
  });

  it('sends a secret once, and keeps it nowhere', async () => {
    const { page, calls } = await open({ path: '/provider-credentials?add=true' });
    const dialog = page.getByRole('dialog', { name: 'Add credential' });
    await dialog.getByRole('button', { name: 'Add credential' }).click();
    await dialog.getByText('Choose a provider.').waitFor();
    await dialog.getByText('Paste the secret.').waitFor();
    await dialog.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option').first().click();
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Ours');
    const secret = dialog.getByLabel('Secret');
    expect(await secret.getAttribute('type')).toBe('password');
    expect(await secret.getAttribute('autocomplete')).toBe('off');
    await secret.fill(SECRET);
    await dialog.getByRole('button', { name: 'Add credential' }).click();
    await page.getByText('Credential added.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    const left = await page.evaluate<string>(`JSON.stringify([document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value), document.title, location.href,
      history.state, { ...localStorage }, { ...sessionStorage }])`);
    expect(left).not.toContain(SECRET);
  });

  it('shows how the credentials of a provider share its calls, and which of them it limits', async () => {
    const pool = [
      { ...credential, id: CREDENTIAL, weight: 300, health: 'ok', retry_at: null, cooling: [] },
      {
        ...credential,
        id: OTHER,
        label: 'Second',
        weight: 100,
        health: 'cooling',
        retry_at: '2026-11-20T09:32:00.000Z',
        cooling: [{ endpoint_id: 'acme/small|acme|eu|small-1', until: '2026-11-20T09:32:00.000Z' }],
        headroom_bps: 120,
        rate_limit_rpm: 500,
      },
      { ...credential, id: THIRD, label: 'Third', weight: 0, health: 'refused', retry_at: null },
    ];
    const { page } = await open({
      path: '/provider-credentials',
      now: '2026-11-20T09:30:00Z',
      answers: { 'GET /provider-credentials': listOf(pool) },
    });
    await page.getByText('Ours (75 %), Second (25 %), and Third (spare)').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Limited' });
    await row.getByText('1.2 %').waitFor();
    await row.getByText('500 requests/min').waitFor();
    await row.getByText(/Next try in 2 min/).waitFor();
    await page.getByRole('row').filter({ hasText: 'Third' }).getByText('Refused').first().waitFor();
  });

  it('sends only what was changed of a credential', async () => {
    const { page, calls } = await open({
      path: '/provider-credentials',
      answers: { 'GET /provider-credentials': listOf([{ ...credential, weight: 100 }]) },
    });
    await page.getByRole('button', { name: 'Actions of Ours' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit credential' });
    await dialog.getByRole('textbox', { name: 'Weight' }).fill('50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Credential saved.').waitFor();
    expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      '{"weight":50}',
    ]);
  });

  it('reads anew whether the provider refused it, before it is out of use for good', async () => {
    const refused = { ...credential, last_auth_failed_at: '2026-11-20T09:29:00.000Z' };
    const { page } = await open({
      path: '/provider-credentials',
      now: '2026-11-20T09:30:00Z',
      answers: {
        'GET /provider-credentials': listOf([{ ...credential, last_auth_failed_at: null }]),
        [`GET /provider-credentials/${CREDENTIAL}`]: { body: refused },
      },
    });
    await page.getByRole('button', { name: 'Actions of Ours' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByText('Last refused by the provider 1 min ago.').waitFor();
  });

  it('says what marking as compromised does, and wants the label typed', async () => {
    const { page, calls } = await open({
      path: '/provider-credentials',
      answers: { 'GET /provider-credentials': listOf([credential]) },
    });
    await page.getByRole('button', { name: 'Actions of Ours' }).click();
    await page.getByRole('menuitem', { name: 'Mark compromised' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Mark compromised' });
    await asked.getByText(/Delete the key at the provider now/).waitFor();
    const button = asked.getByRole('button', { name: 'Mark compromised' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await asked.getByLabel('Type “Ours” to confirm').fill('Ours');
    await button.click();
    await page.getByText('Credential marked as compromised.').waitFor();
    expect(calls.filter(({ path }) => path.endsWith('/compromised'))).toHaveLength(1);
  });

  it('shows a hostile label as plain text, and cannot act on one that is out of use for good', async () => {
    const label = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: '/provider-credentials',
      answers: { 'GET /provider-credentials': listOf([{ ...credential, label, state: 'revoked' }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const actions = page.getByRole('button', { name: /Actions of/ });
    expect(await actions.getAttribute('aria-description')).toBe('It can no longer be used. Add another one.');
  });
});
