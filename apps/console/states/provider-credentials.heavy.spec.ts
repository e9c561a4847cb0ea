import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const CREDENTIAL = 'cred_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const [example] = (
  documentedExample('GET', `${BELOW}/provider-credentials`)?.body as {
    data: [{ label: string; state: string }];
  }
).data;
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const credential = { ...example, state: 'active', label: 'Ours' };
const SECRET = 'sk-never-shown-again-0123456789';

describePages('the page of provider credentials', () => {
  describeStates({
    path: '/provider-credentials',
    reads: 'GET /provider-credentials',
    heading: 'Provider credentials',
    shown: (page) => page.getByRole('table', { name: 'Whose credential calls use' }).waitFor(),
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
    await asked.getByLabel('Type Ours to confirm').fill('Ours');
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
    expect(await actions.getAttribute('aria-description')).toBe(
      'It is out of use for good. Add another one.',
    );
  });
});
