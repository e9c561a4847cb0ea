import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles, stubbedSession } from './stubbed-console';

const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';
const OTHER = 'org_00000000000000000000000000';
const organization = documentedExample('GET', `/api/v1/organizations/${ORGANIZATION}`)?.body as object;
const [session] = (documentedExample('GET', '/auth/sessions')?.body as { data: [object] }).data;
const other = { ...session, id: 'ses_00000000000000000000000000', current: false };
const grants = documentedExample('GET', '/api/v1/oauth/grants')?.body as { data: [object] };
const sessions = { 'GET /auth/sessions': { body: { data: [{ ...session, current: true }, other] } } };
/** The organization itself, which is below nothing. */
const READ = 'GET ';

describePages('the page of settings', () => {
  describeStates({
    path: '/settings',
    reads: READ,
    heading: 'Settings',
    shown: (page) => page.getByText('Organization limits per minute').waitFor(),
    answers: sessions,
    overlays: [
      (page) => page.getByRole('button', { name: 'Rename' }).click(),
      (page) => page.getByRole('button', { name: 'Change password' }).click(),
      (page) => page.getByRole('button', { name: 'Leave organization' }).click(),
    ],
  });
});

describePages('the settings', () => {
  const open = consoles();

  it('have no button to rename for a role that may not', async () => {
    const { page } = await open({
      path: '/settings',
      role: 'viewer',
      permissions: ['org:read'],
      answers: sessions,
    });
    await page.getByText('Organization limits per minute').waitFor();
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Change password' }).waitFor();
  });

  it('are read while the organization is suspended', async () => {
    const { organizations, ...rest } = stubbedSession() as { organizations: object[] };
    const suspended = organizations.map((one) => ({ ...one, state: 'suspended' }));
    const { page } = await open({
      path: '/settings',
      answers: {
        ...sessions,
        'GET /auth/session': { body: { ...rest, organizations: suspended } },
        [READ]: { body: { ...organization, state: 'suspended' } },
      },
    });
    await page.getByText('This organization is suspended').waitFor();
    await page.getByText('Suspended', { exact: true }).waitFor();
  });

  it('revoke what was granted to an app, also in another organization, and show their version', async () => {
    const granted = { ...grants.data[0], state: 'active', revoked_at: null };
    const elsewhere = { ...granted, id: 'grant_00000000000000000000000000', organization_id: OTHER };
    const { page, calls } = await open({
      path: '/settings',
      answers: {
        ...sessions,
        'GET /api/v1/oauth/grants': { body: { ...grants, data: [elsewhere, granted] } },
      },
    });
    const row = page.getByRole('row', { name: /In another organization/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke grant' }).click();
    await page.getByText('Grant revoked.').waitFor();
    expect(calls.some(({ path }) => path.endsWith('/grant_00000000000000000000000000/revoke'))).toBe(true);
    await page.getByText('Version of Svc').waitFor();
    await page
      .getByText(/^\d+\.\d+\.\d+/)
      .first()
      .waitFor();
  });

  it('end another session, and all others', async () => {
    const { page, calls } = await open({ path: '/settings', answers: sessions });
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Session ended.').waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All other sessions ended.').waitFor();
    expect(calls.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
      '/auth/sessions/ses_00000000000000000000000000',
      '/auth/sessions/end-others',
    ]);
  });

  it('take a new password only twice the same, and keep it nowhere', async () => {
    const { page, calls } = await open({ path: '/settings', answers: sessions });
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('Current password').fill('correct horse battery');
    await dialog.getByLabel('New password').fill('three quiet hedgehogs');
    await dialog.getByLabel('Confirm password').fill('three quiet');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('The passwords do not match.').waitFor();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await dialog.getByLabel('Confirm password').fill('three quiet hedgehogs');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain('hedgehogs');
  });

  it('keep how the console looks', async () => {
    const { page } = await open({ path: '/settings', answers: sessions });
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Comfortable' }).check();
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Comfortable' }).isChecked()).toBe(true);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
