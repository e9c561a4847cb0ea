import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const REQUEST = 'apr_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const OTHER = 'usr_00000000000000000000000000';
const TITLE = 'Raise amount of budget from $5.00 to $9.00';
const noPermission = /^Your role, Viewer, cannot see approvals\./;

const example = documentedExample('GET', `${BELOW}/approval-requests/${REQUEST}`)?.body as Record<
  string,
  object
>;
const asked = {
  ...example,
  requested_by: { ...example['requested_by'], id: OTHER, user_id: OTHER },
  error: null,
  result: null,
};
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});

describePages('the page of approvals', () => {
  describeStates({
    path: '/approvals',
    reads: 'GET /approval-requests',
    heading: 'Approvals',
    shown: (page) => page.getByRole('table', { name: 'Approval requests' }).waitFor(),
    noPermission,
    overlays: [(page) => page.getByRole('button', { name: 'State' }).click()],
  });
});

describePages('the tab of approval policies', () => {
  describeStates({
    path: '/approvals?tab=policies',
    reads: 'GET /approval-policies',
    heading: 'Approvals',
    shown: (page) => page.getByRole('table', { name: 'Approval policies' }).waitFor(),
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Create policy' }).click(),
      (page) => page.getByRole('button', { name: /^Delete policy/ }).click(),
    ],
  });
});

describePages('the page of one approval request', () => {
  describeStates({
    path: `/approvals/${REQUEST}`,
    reads: `GET /approval-requests/${REQUEST}`,
    heading: TITLE,
    shown: (page) => page.getByRole('table', { name: 'Changes' }).waitFor(),
    noPermission,
    gone: 'This approval request was not found',
    answers: { [`GET /approval-requests/${REQUEST}`]: { body: asked } },
    overlays: [
      (page) => page.getByRole('button', { name: 'Approve' }).click(),
      (page) => page.getByRole('button', { name: 'Cancel request' }).click(),
    ],
  });
});

describePages('approvals', () => {
  const open = consoles();

  it('says what waits here where nothing does, and that none matches a filter', async () => {
    const { page } = await open({ path: '/approvals', answers: { 'GET /approval-requests': listOf([]) } });
    await page.getByText('No approval requests').waitFor();
    expect(await page.getByText('waiting for you').count()).toBe(0);
    await page.goto(page.url().replace(/\/approvals.*/, '/approvals?state=rejected'));
    await page.getByText('No requests match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No approval requests').waitFor();
  });

  it('counts what waits for the reader beside its name, on every page', async () => {
    const { page } = await open({ path: '/keys', answers: { 'GET /approval-requests': listOf([asked]) } });
    await page.getByRole('link', { name: 'Approvals 1 waiting for you' }).waitFor();
  });

  it('shows hostile text of a requester as plain text', async () => {
    const reason = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: `/approvals/${REQUEST}`,
      answers: { [`GET /approval-requests/${REQUEST}`]: { body: { ...asked, reason } } },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('lets nobody decide about what they asked for, and says so', async () => {
    const { page } = await open({ path: `/approvals/${REQUEST}` });
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    expect(await approve.getAttribute('aria-description')).toBe(
      'You requested this change. Somebody else must decide.',
    );
  });

  it('offers nothing to a role that cannot decide, and shows amounts as amounts', async () => {
    const { page } = await open({
      path: `/approvals/${REQUEST}`,
      permissions: ['org:read', 'approval:read'],
      answers: { [`GET /approval-requests/${REQUEST}`]: { body: asked } },
    });
    await page.getByRole('row', { name: /amount_nanos \$5\.00 \$9\.00/ }).waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject|Cancel request/ }).count()).toBe(0);
  });

  it('sends the comment of a decision, and nothing before the button', async () => {
    const { page, calls } = await open({
      path: `/approvals/${REQUEST}`,
      answers: { [`GET /approval-requests/${REQUEST}`]: { body: asked } },
    });
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject this change?' });
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Too much.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected.', { exact: true }).waitFor();
    expect(calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).toEqual([
      [`${BELOW}/approval-requests/${REQUEST}/reject`, '{"comment":"Too much."}'],
    ]);
  });

  it('says that a change made on another page waits, and leads to its request without asking', async () => {
    const waiting = {
      code: 'approval_required',
      message: 'It waits.',
      approval_request_id: REQUEST,
      retriable: false,
    };
    const { page } = await open({
      path: '/keys?create=true',
      answers: {
        'POST /keys': { status: 400, body: { error: waiting } },
        [`GET /approval-requests/${REQUEST}`]: { body: asked },
      },
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('Waits for approval', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  });

  it('shows the secret of an executed change in one dialog, and nowhere after it', async () => {
    const secret = 'svc_sk_claimedOnce';
    let state = 'available';
    const executed = () => ({
      body: {
        ...example,
        state: 'executed',
        error: null,
        result: { status: 201, target_id: null, secret: state },
      },
    });
    const { page } = await open({
      path: `/approvals/${REQUEST}`,
      answers: {
        [`GET /approval-requests/${REQUEST}`]: executed,
        [`POST /approval-requests/${REQUEST}/claim-secret`]: () => {
          state = 'claimed';
          const { body } =
            documentedExample('POST', `${BELOW}/approval-requests/${REQUEST}/claim-secret`) ?? {};
          return { body: { ...(body as object), key: secret } };
        },
      },
    });
    await page.getByRole('button', { name: 'Claim secret' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    expect(await saved.getByRole('textbox', { name: 'API key' }).inputValue()).toBe(secret);
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('The secret of this change has been claimed.').waitFor();
    await saved.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(await page.getByRole('button', { name: 'Claim secret' }).count()).toBe(0);
  });
});
