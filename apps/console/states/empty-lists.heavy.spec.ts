import { consoles, describePages, problemsOfLook, type Stub } from './stubbed-console';

const EMPTY: Stub = { body: { object: 'list', data: [], has_more: false, next_cursor: null } };

const lists = [
  ['/projects', '/projects', 'Create your first project'],
  ['/keys', '/keys', 'Create your first key'],
  ['/provider-credentials', '/provider-credentials', 'Add your first credential'],
  ['/budgets', '/budgets', 'Create your first budget'],
  ['/alerts?tab=rules', '/alert-rules', 'Create your first rule'],
  ['/webhooks', '/webhooks', 'Create your first webhook'],
  ['/integrations', '/integrations', 'Create your first integration'],
  ['/oauth-apps', '/oauth-apps', 'Register your first app'],
  ['/exports', '/exports', 'Create your first export'],
  ['/fine-tuning', '/fine-tuning/jobs', 'Create your first job'],
  ['/fine-tuning?tab=endpoints', '/fine-tuning/endpoints', 'Create your first endpoint'],
  ['/members?tab=invitations', '/members/invitations', 'Invite somebody'],
  ['/approvals?tab=policies', '/approval-policies', 'Create your first policy'],
  ['/wallet', '/wallet/transactions', 'Add your first credit'],
  ['/wallet?tab=payments', '/payments', 'Add your first credit'],
] as const;

describePages('an empty list', () => {
  const open = consoles();

  it.each(lists)(
    'at %s has one action, which opens the form of what it lists',
    async (path, read, action) => {
      const { page } = await open({ path, answers: { [`GET ${read}`]: EMPTY } });
      const first = page.getByRole('main').getByRole('button', { name: action, exact: true });
      await first.waitFor();
      expect(await problemsOfLook(page)).toEqual([]);
      await first.click();
      await page.getByRole('dialog').waitFor();
    },
  );

  it('has none for those who may only read', async () => {
    const answers = { 'GET /keys': EMPTY };
    const { page } = await open({ path: '/keys', permissions: ['key:read'], answers });
    await page.getByText('No keys yet').waitFor();
    expect(await page.getByRole('button', { name: /first key/ }).count()).toBe(0);
  });

  it('of requests leads to the first call', async () => {
    const { page } = await open({ path: '/requests', answers: { 'GET /requests': EMPTY } });
    await page.getByRole('link', { name: 'Make your first call' }).click();
    await page.waitForURL('**/console/start');
  });
});
