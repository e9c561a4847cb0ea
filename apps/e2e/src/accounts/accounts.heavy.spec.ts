import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { eventually, startMailServer, type MailServer } from '@svc/testing';
import { inBrowser, lookAtEachWay, openBrowser } from '../harness/browser';
import { startSvc, type Svc } from '../harness/svc-process';

let svc: Svc;
let mailServer: MailServer;
let password: string;

beforeAll(async () => {
  mailServer = await startMailServer();
  svc = await startSvc({
    env: { SVC_SMTP_URL: mailServer.url, SVC_MAIL_FROM: 'no-reply@svc.example' },
  });
  password = svc.ready.owner_password ?? '';
});
afterAll(async () => {
  await svc.stop();
  await mailServer.close();
});

const logIn = (typed: string) =>
  fetch(`${svc.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.17.0' },
    body: JSON.stringify({ email: svc.ready.owner_email, password: typed }),
  });

inBrowser('a user, in a real browser without scripts,', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** In a context of its own: axe itself is a script. */
  async function look(name: string): Promise<void> {
    const other = await browser.newContext({ storageState: await context.storageState() });
    const looking = await other.newPage();
    await looking.goto(page.url());
    await lookAtEachWay(looking, `accounts/${name}`);
    await other.close();
  }

  async function logInHere(): Promise<void> {
    await page.getByLabel('E-mail address').fill(svc.ready.owner_email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  it('forgets the password, gets a mail, sets a new one, and logs in with it', async () => {
    const before = await logIn(password);
    expect(before.status).toBe(200);
    const cookie = before.headers.getSetCookie()[0]!.split(';')[0]!;
    const isLive = async () => (await fetch(`${svc.baseUrl}/auth/session`, { headers: { cookie } })).ok;

    await page.goto(`${svc.baseUrl}/auth/login`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await look('forgotten');
    await page.getByLabel('E-mail address').fill(svc.ready.owner_email);
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await look('mailed');

    const letter = await eventually(() => {
      expect(mailServer.letters()).toHaveLength(1);
      return mailServer.letters()[0]!;
    }, 10_000);
    const link = /^http\S+$/m.exec(letter)![0];
    expect(link.startsWith(`${svc.baseUrl}/auth/password-reset/svc_pr_`)).toBe(true);
    expect(await isLive()).toBe(true);
    await page.goto(link);
    await look('new-password');
    const chosen = 'three quiet hedgehogs';
    await page.getByLabel('New password').fill(chosen);
    await page.getByLabel('The same password again').fill(chosen);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('status').getByText('Your new password is set.').waitFor();

    expect(await isLive()).toBe(false);
    expect((await logIn(password)).status).toBe(401);
    password = chosen;
    await logInHere();
    await page.waitForURL('**/console/**');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    await look('closed');
    const members = await fetch(`${svc.baseUrl}/api/v1/members`, {
      headers: { authorization: `Bearer ${svc.apiKey}` },
    });
    expect(await members.json()).toMatchObject({
      data: [
        { email: svc.ready.owner_email, email_verified: true, last_seen_at: expect.any(String) as string },
      ],
    });
  });

  it('changes the password on the account page, and ends sessions there', async () => {
    for (let other = 0; other < 3; other++) await logIn(password);
    await page.goto(`${svc.baseUrl}/auth/account`);
    await logInHere();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    const rows = page.getByRole('listitem');
    expect(await rows.filter({ hasText: 'curl/8.17.0' }).count()).toBe(3);
    expect(await rows.filter({ hasText: 'this one' }).count()).toBe(1);
    await look('account');
    await page.getByRole('button', { name: 'End', exact: true }).first().click();
    await page.getByRole('status').getByText('The session has ended.').waitFor();
    expect(await rows.filter({ hasText: 'curl/8.17.0' }).count()).toBe(2);
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('status').getByText('Your other sessions have ended.').waitFor();
    expect(await rows.count()).toBe(1);

    await change('wrong', 'four quiet hedgehogs');
    await page.getByText('The password is wrong.').waitFor();
    await change(password, 'four quiet hedgehogs');
    await page.getByRole('status').getByText('Your password is changed').waitFor();
    expect((await logIn(password)).status).toBe(401);
    password = 'four quiet hedgehogs';
    expect((await logIn(password)).status).toBe(200);
  });

  async function change(current: string, next: string): Promise<void> {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByLabel('The same password again').fill(next);
    await page.getByRole('button', { name: 'Change the password' }).click();
  }
});
