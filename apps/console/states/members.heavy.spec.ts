import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const MEMBER = 'mem_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const exampleOf = (path: string) =>
  (documentedExample('GET', `${BELOW}${path}`)?.body as { data: [Record<string, unknown>] }).data[0];
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const member = { ...exampleOf('/members'), state: 'active', email: 'grace@example.com', role: 'developer' };
const owner = { ...member, id: 'mem_00000000000000000000000000', email: 'ada@example.com', role: 'owner' };
const invitation = { ...exampleOf('/members/invitations'), state: 'pending', email: 'new@example.com' };
const answers = {
  'GET /members': ({ query }: { query: URLSearchParams }) =>
    listOf(query.get('role') === 'owner' ? [owner] : [member, owner]),
  'GET /members/invitations': listOf([invitation]),
};

describePages('the page of members', () => {
  describeStates({
    path: '/members',
    reads: 'GET /members',
    heading: 'Members',
    shown: (page) => page.getByRole('table', { name: 'Members' }).waitFor(),
    noPermission: /^Your role, Viewer, cannot see members\./,
    answers,
    overlays: [
      (page) => page.getByRole('button', { name: 'Invite member' }).click(),
      (page) => page.getByRole('button', { name: 'Actions of grace@example.com' }).click(),
    ],
  });
});

describePages('the tab of invitations', () => {
  describeStates({
    path: '/members?tab=invitations',
    reads: 'GET /members/invitations',
    heading: 'Members',
    shown: (page) => page.getByRole('table', { name: 'Invitations' }).waitFor(),
    noPermission: /^Your role, Viewer, cannot see members\./,
    answers,
    overlays: [(page) => page.getByRole('button', { name: 'Revoke' }).click()],
  });
});

describePages('the members of an organization', () => {
  const open = consoles();

  it('have disabled controls, with the reason, where one is the last owner', async () => {
    const { page } = await open({ path: '/members', answers });
    const actions = page.getByRole('button', { name: 'Actions of ada@example.com' });
    await actions.and(page.getByRole('button', { disabled: true })).waitFor();
    expect(await actions.getAttribute('aria-description')).toBe(
      'This is the last owner. Make somebody else an owner first.',
    );
  });

  it('are given no role with more than the giver holds', async () => {
    const permissions = [
      'org:read',
      'member:read',
      'member:write',
      'usage:read',
      'wallet:read',
      'wallet:write',
    ];
    const { page } = await open({ path: '/members?invite=true', role: 'developer', permissions, answers });
    await page.getByRole('dialog', { name: 'Invite member' }).waitFor();
    expect(await page.getByRole('radio', { name: /Owner/ }).count()).toBe(0);
    const actions = page.getByRole('button', { name: 'Actions of grace@example.com', includeHidden: true });
    expect(await actions.getAttribute('aria-description')).toBe('This member has permissions that you lack.');
  });

  it('are shown without a button to a role that may only read them', async () => {
    const { page } = await open({
      path: '/members',
      role: 'viewer',
      permissions: ['org:read', 'member:read'],
      answers,
    });
    await page.getByRole('table', { name: 'Members' }).waitFor();
    expect(await page.getByRole('button', { name: /invite|actions/i }).count()).toBe(0);
  });

  it.each([
    [true, /The invitation was sent\./],
    [false, /The invitation was not sent by email\. Share this link yourself\./],
  ])('are invited by a link that is shown once (mailed: %s)', async (mailed, words) => {
    const accept_url = 'https://svc.example/auth/invitations/svc_inv_shown-once';
    const { page } = await open({
      path: '/members?invite=true',
      answers: {
        ...answers,
        'POST /members/invitations': { status: 201, body: { invitation, accept_url, mailed } },
      },
    });
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('new@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invitation link' });
    await dialog.getByText(words).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(accept_url);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain('svc_inv_');
  });

  it('are told with when they were seen last as of now, before they are removed', async () => {
    const seen = { ...member, last_seen_at: '2026-11-20T09:29:00.000Z' };
    const { page } = await open({
      path: '/members',
      now: '2026-11-20T09:30:00Z',
      answers: {
        ...answers,
        'GET /members': listOf([{ ...member, last_seen_at: null }, owner]),
        [`GET /members/${MEMBER}`]: { body: seen },
      },
    });
    await page.getByRole('button', { name: 'Actions of grace@example.com' }).click();
    await page.getByRole('menuitem', { name: /Remove/ }).click();
    await page.getByRole('alertdialog').getByText('Last seen 1 min ago.').waitFor();
  });

  it('have roles, whose permissions are a table', async () => {
    const { page } = await open({ path: '/members?tab=roles', answers });
    const row = page.getByRole('row', { name: /wallet:write/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Yes', 'No', 'No', 'Yes', 'No']);
  });

  it('say so where there are none, and show a hostile address as plain text', async () => {
    const empty = await open({
      path: '/members?tab=invitations',
      answers: { 'GET /members/invitations': listOf([]) },
    });
    await empty.page.getByText('No invitations', { exact: true }).waitFor();
    const email = '<img src=x onerror="document.title=1">\u202e@example.com';
    const { page } = await open({
      path: '/members',
      answers: { 'GET /members': listOf([{ ...member, email }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩@example.com').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});
