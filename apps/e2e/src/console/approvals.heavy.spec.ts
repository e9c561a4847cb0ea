import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit, type Visitor } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

inBrowser('the page of approvals', () => {
  let browser: Browser;
  let open: ConsoleVisit[] = [];
  let other: Visitor;
  let viewer: Visitor;
  beforeAll(async () => {
    browser = await openBrowser();
    // Before there is a policy: an invitation to a role that decides would wait for it.
    other = await newMember('security_admin');
    viewer = await newMember('viewer');
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const problems = open.flatMap((visit) => visit.problems);
    await Promise.all(open.map(({ context }) => context.close()));
    open = [];
    expect(problems).toEqual([]);
  });

  const visit = async (path: string, visitor?: Visitor): Promise<Page> => {
    const visited = await visitConsole(browser, svc, path, { ...(visitor && { visitor }) });
    open.push(visited);
    return visited.page;
  };

  /** Somebody else of the organization, who has accepted an invitation. */
  async function newMember(role: string): Promise<Visitor> {
    const visitor = { email: `${role.replace('_', '-')}@example.com`, password: 'a long new password' };
    const invited = await fetch(`${svc.baseUrl}/api/v1/members/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: visitor.email, role }),
    });
    const { accept_url: url } = (await invited.json()) as { accept_url: string };
    const context = await browser.newContext();
    const form = await context.newPage();
    await form.goto(url);
    await form.getByLabel(/^(New p|P)assword/).fill(visitor.password);
    await form.getByLabel('The same password again').fill(visitor.password);
    await form.getByRole('button').first().click();
    await form.waitForURL(/\/console\//);
    await context.close();
    return visitor;
  }

  it('holds a key until somebody else approves it, and shows its secret once to who asked', async () => {
    const owner = await visit('/console/approvals?tab=policies');
    await owner.getByRole('button', { name: 'Create policy' }).click();
    const form = owner.getByRole('dialog', { name: 'Create approval policy' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Keys');
    await form.getByRole('checkbox', { name: 'api_key.create' }).check();
    await form.getByRole('button', { name: 'Create policy' }).click();
    await owner.getByText('Policy created.').waitFor();
    await form.waitFor({ state: 'detached' });
    expect(await owner.getByRole('alertdialog').count()).toBe(0);

    await owner.goto(`${svc.baseUrl}/console/keys?create=true`);
    await owner.getByRole('textbox', { name: 'Name' }).fill('Billing');
    await owner.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await owner.getByRole('dialog').getByText('Waits for approval', { exact: true }).waitFor();
    await owner.getByRole('link', { name: 'Open the request' }).click();
    const approve = owner.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await approve.getAttribute('aria-disabled')).toBe('true');

    const decider = await visit('/console/keys', other);
    await decider.getByRole('link', { name: 'Approvals 1 waiting for you' }).click();
    await decider.getByRole('link', { name: 'Create key Billing' }).click();
    await decider.getByRole('row', { name: /name .*Billing/ }).waitFor();
    await decider.getByRole('button', { name: 'Approve' }).click();
    const asked = decider.getByRole('dialog');
    await asked.getByRole('textbox', { name: 'Comment' }).fill('Fine by me.');
    await asked.getByRole('button', { name: 'Approve' }).click();
    await decider.getByText('The change was applied on behalf of the requester.').waitFor();

    await owner.reload();
    await owner.getByText('Fine by me.').waitFor();
    await owner.getByRole('button', { name: 'Claim secret' }).click();
    const saved = owner.getByRole('dialog', { name: 'Save your key' });
    const secret = await saved.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(secret).toMatch(/^svc_sk_/);
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await owner.getByText('The secret of this change has been claimed.').waitFor();
    expect(await owner.content()).not.toContain(secret);
    expect(await owner.getByRole('button', { name: 'Claim secret' }).count()).toBe(0);
  });

  it('tells who asked why it was rejected, and a viewer sees it without buttons', async () => {
    const owner = await visit('/console/approvals');
    await owner.goto(`${svc.baseUrl}/console/keys?create=true`);
    await owner.getByRole('textbox', { name: 'Name' }).fill('Refused');
    await owner.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await owner.getByRole('link', { name: 'Open the request' }).click();
    await owner.getByRole('button', { name: 'Cancel request' }).waitFor();

    const path = new URL(owner.url()).pathname;
    const decider = await visit(path, other);
    await decider.getByRole('button', { name: 'Reject' }).click();
    await decider.getByRole('dialog').getByRole('textbox', { name: 'Comment' }).fill('Too many keys.');
    await decider.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await decider.getByText('Rejected.', { exact: true }).waitFor();

    await owner.reload();
    await owner.getByText('Too many keys.').waitFor();
    const onlooker = await visit(path, viewer);
    await onlooker.getByText('Too many keys.').waitFor();
    expect(await onlooker.getByRole('button', { name: /Approve|Reject|Cancel request/ }).count()).toBe(0);
  });
});
