import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { eventually, startMailServer, type MailServer } from '@svc/testing';
import { inBrowser, lookAt, openBrowser } from '../harness/browser';
import { directed, post } from '../harness/clients';
import { visitConsole } from '../harness/console';
import { RecordingReceiver } from '../harness/recording-receiver';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

const ARRIVES_WITHIN_MS = 120_000;
/** The time that a walk may take where nothing else runs; here the pages are pictured and looked at, too. */
const TEN_MINUTES_MS = 600_000;
const PASSWORD = 'a long new password';

let mailServer: MailServer;
let receiver: RecordingReceiver;
let svc: Svc;
beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await RecordingReceiver.start();
  svc = await startSvc({
    env: {
      SVC_PAYMENTS: 'test',
      SVC_ALERT_TICK_SECONDS: '1',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
      SVC_SMTP_URL: mailServer.url,
      SVC_MAIL_FROM: 'no-reply@svc.example',
    },
  });
});
afterAll(async () => {
  await svc.stop();
  receiver.close();
  await mailServer.close();
});

const chat = async (apiKey: string, directive: Record<string, unknown> = {}): Promise<number> => {
  const messages = [directed(directive, 'Hello')];
  const answer = await post({ ...svc, apiKey }, '/v1/chat/completions', {
    model: 'simulator/echo',
    messages,
  });
  return answer.status;
};

inBrowser('a walk through the console', () => {
  let browser: Browser;
  let context: BrowserContext | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  afterEach(() => context?.close());

  const follow = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();

  it('leads from an invitation to a key that is paid for, limited and watched', async () => {
    const startedAt = Date.now();
    const made = await callApi(svc.baseUrl, 'POST', '/platform/v1/organizations', svc.platformToken ?? '', {
      name: 'Northwind',
      owner_email: 'ada@northwind.example',
    });
    context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto((made.body as { owner: { accept_url: string } }).owner.accept_url);
    await lookAt(page, 'walkthroughs/key-1-invitation');
    await page.getByLabel(/^(New p|P)assword/).fill(PASSWORD);
    await page.getByLabel('The same password again').fill(PASSWORD);
    await page.getByRole('button').first().click();
    await page.getByRole('heading', { level: 1, name: 'Make your first call' }).waitFor();
    await lookAt(page, 'walkthroughs/key-2-first-page');

    await pay(page, '50');
    const secret = await createKey(page);
    await limit(page);
    await watch(page);

    expect(await chat(secret)).toBe(200);
    await follow(page, 'Keys');
    await page.getByRole('link', { name: 'Production' }).click();
    await page.getByRole('heading', { name: 'Limits' }).waitFor();
    await page
      .getByRole('table', { name: 'Budgets that apply' })
      .getByText('Production of a month')
      .waitFor();
    await page
      .getByRole('table', { name: 'Rate limits' })
      .getByRole('row', { name: /120/ })
      .first()
      .waitFor();
    await lookAt(page, 'walkthroughs/key-6-its-page');
    await follow(page, 'Requests');
    await page.getByRole('table', { name: 'Requests' }).getByText('simulator/echo').first().waitFor();
    expect(Date.now() - startedAt).toBeLessThan(TEN_MINUTES_MS);
  });

  async function pay(page: Page, dollars: string): Promise<void> {
    await follow(page, 'Wallet');
    await page.getByRole('button', { name: 'Add credit' }).first().click();
    await page.getByRole('textbox', { name: 'Amount in dollars' }).fill(dollars);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: /^Pay/ }).first().click();
    await page
      .getByRole('row', { name: /\$50\.00.*Succeeded/ })
      .first()
      .waitFor({ timeout: ARRIVES_WITHIN_MS });
    await lookAt(page, 'walkthroughs/key-3-paid');
  }

  /** @returns the secret of a key of production, with a limit of its own. */
  async function createKey(page: Page): Promise<string> {
    await follow(page, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Production');
    await form.getByRole('textbox', { name: 'Requests per minute' }).fill('120');
    await form.getByRole('button', { name: 'Create key' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    const secret = await saved.getByRole('textbox', { name: 'API key' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    return secret;
  }

  async function limit(page: Page): Promise<void> {
    await follow(page, 'Budgets');
    await page.getByRole('button', { name: 'Create budget' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create budget' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Production of a month');
    await form.getByRole('radio', { name: 'Key' }).check();
    await form.getByRole('combobox', { name: 'Key' }).fill('Production');
    await page.getByRole('option', { name: /Production/ }).click();
    await form.getByRole('textbox', { name: 'Amount in dollars' }).fill('25');
    await form.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created.').waitFor();
    await lookAt(page, 'walkthroughs/key-4-limited');
  }

  async function watch(page: Page): Promise<void> {
    await follow(page, 'Alerts');
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    const form = page.getByRole('dialog', { name: 'Create alert rule' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Calls that fail');
    await form.getByRole('textbox', { name: 'Threshold' }).fill('5');
    await form.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Rule created.').waitFor();
    await page.getByRole('link', { name: 'Calls that fail' }).waitFor();
    await lookAt(page, 'walkthroughs/key-5-watched');
  }

  it('leads from the mail of an alert to the call that caused it, and to the webhook that told of it', async () => {
    const create = async (path: string, body: object) =>
      (await callApi(svc.baseUrl, 'POST', `/api/v1${path}`, svc.apiKey, body)).body;
    await create('/webhook-endpoints', { url: `${receiver.origin}/customer`, event_types: ['alert.*'] });
    await create('/alert-rules', {
      name: 'Calls that fail',
      metric: 'error_rate_bps',
      threshold: 100,
      min_requests: 1,
      filter: { model: 'simulator/echo' },
      notify: { roles: ['owner'] },
    });
    expect(
      await chat(svc.apiKey, { status: 503, error_message: 'The model is overloaded.' }),
    ).toBeGreaterThan(499);
    const alertId = await eventually(() => {
      const found = mailServer.letters().flatMap((letter) => /alt_[0-9a-z]{26}/.exec(letter) ?? []);
      expect(found.length).toBeGreaterThan(0);
      return found[0] ?? '';
    }, ARRIVES_WITHIN_MS);

    await eventually(async () => {
      const alert = await callApi(svc.baseUrl, 'GET', `/api/v1/alerts/${alertId}`, svc.apiKey);
      expect(alert.body).toMatchObject({ notifications: [{ status: 'sent' }] });
      expect(receiver.at('/customer').length).toBeGreaterThan(0);
    }, ARRIVES_WITHIN_MS);

    const visit = await visitConsole(browser, svc);
    ({ context } = visit);
    const { page } = visit;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill(alertId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Calls that fail' }).waitFor();
    await page.getByRole('table', { name: 'Notifications' }).getByText('Sent').waitFor();
    const told = page.getByRole('table', { name: 'Webhook deliveries' });
    await told.waitFor({ timeout: ARRIVES_WITHIN_MS });
    await lookAt(page, 'walkthroughs/incident-1-alert');

    await page.getByRole('link', { name: 'View calls' }).click();
    const calls = page.getByRole('table', { name: 'Requests' });
    await calls
      .getByRole('row', { name: /simulator\/echo/ })
      .first()
      .waitFor();
    await lookAt(page, 'walkthroughs/incident-2-calls');
    await calls.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Open as page' }).click();
    await page.getByRole('list', { name: 'Attempts' }).getByText(/503/).first().waitFor();
    await lookAt(page, 'walkthroughs/incident-3-call');

    await page.goto(`${svc.baseUrl}/console/alerts/${alertId}`);
    await told.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'alert.fired' }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('row', { name: /Status 200/ }).waitFor();
    await lookAt(page, 'walkthroughs/incident-4-webhook');
    expect(receiver.at('/customer')[0]?.body.toString()).toContain(alertId);
    expect(visit.problems).toEqual([]);
  });
});
