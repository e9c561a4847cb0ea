import { consoles, describePages } from './stubbed-console';
import { documentedExample } from './documented-examples';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const policies = documentedExample('GET', `${BELOW}/approval-policies`)?.body as { data: [object] };
const holding = (actions: readonly string[], enabled = true) => ({
  'GET /approval-policies': { body: { ...policies, data: [{ ...policies.data[0], actions, enabled }] } },
});
const WHY = 'Why, for those who approve it';

describePages('why a change is wanted', () => {
  const open = consoles();

  it.each([['api_key.create'], ['api_key.*']])(
    'is asked where a policy holds %s, and sent',
    async (action) => {
      const { page, calls } = await open({ path: '/keys?create=true', answers: holding([action]) });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing');
      await dialog.getByRole('textbox', { name: WHY }).fill('Größe der Prüfung 試験');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
      const created = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/keys'));
      const sent = Buffer.from(created?.headers['svc-approval-reason'] ?? '', 'latin1').toString();
      expect(sent).toBe('Größe der Prüfung 試験');
    },
  );

  it('is not asked where none holds it, or the policy is disabled', async () => {
    for (const answers of [holding(['budget.*']), holding(['api_key.create'], false)]) {
      const { page, calls } = await open({ path: '/keys?create=true', answers });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing');
      await page.waitForLoadState('networkidle');
      expect(await dialog.getByRole('textbox', { name: WHY }).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
      const created = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/keys'));
      expect(created?.headers).not.toHaveProperty('svc-approval-reason');
    }
  });

  it('is asked before something is deleted, and forgotten with its form', async () => {
    const BUDGET = 'bud_06dpm2q4x8k3c0v9r7t5w1hzny';
    const { page, calls } = await open({ path: `/budgets/${BUDGET}`, answers: holding(['budget.delete']) });
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByRole('textbox', { name: WHY }).fill('No longer used');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await asked.getByRole('textbox', { name: WHY }).inputValue()).toBe('');
    await asked.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
    expect(calls.find(({ method }) => method === 'DELETE')?.headers).not.toHaveProperty(
      'svc-approval-reason',
    );
  });
});
