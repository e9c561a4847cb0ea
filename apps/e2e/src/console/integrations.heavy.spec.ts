import { type Browser, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { RecordingReceiver } from '../harness/recording-receiver';
import { startSvc, type Svc } from '../harness/svc-process';
import { notFoundBy } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const ARRIVES_WITHIN_MS = 60_000;
const SECRET_PATH = '/services/a-secret-of-the-channel';

let svc: Svc;
let receiver: RecordingReceiver;
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
  svc = await startSvc({
    env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', SVC_WEBHOOK_RETRY_DELAYS: '3600,3600,3600,3600,3600' },
  });
});
afterAll(async () => {
  await svc.stop();
  receiver.close();
});

/** Everything that outlives a view: what a page may leave behind, and what it shows. */
const remains = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
    document.title, location.href, history.state, { ...localStorage }, { ...sessionStorage }])`);

inBrowser('the pages of integrations', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/integrations');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  /** A channel, whose page is opened. */
  async function create(name: string, url: string): Promise<void> {
    await page.getByRole('button', { name: 'Create integration' }).click();
    const form = page.getByRole('dialog', { name: 'Create integration' });
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await form.getByRole('textbox', { name: 'URL' }).fill(url);
    await form.getByRole('button', { name: 'Create integration' }).click();
    await page.getByText('Integration created.').waitFor();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  it('get a test, whose answer appears without a reload, and keep their secret through a change', async () => {
    await create('On-call channel', receiver.origin + SECRET_PATH);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('heading', { level: 1, name: 'integration.test' }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('row', { name: /Status 200/ }).waitFor();
    expect(receiver.at(SECRET_PATH)).toHaveLength(1);

    await page.getByRole('link', { name: 'On-call channel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit integration' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Night shift');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Night shift' }).waitFor();
    expect(await remains(page)).not.toContain('a-secret-of-the-channel');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('heading', { level: 1, name: 'integration.test' }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    expect(receiver.at(SECRET_PATH)).toHaveLength(2);
  });

  it('say why a delivery failed, and send it again', async () => {
    let failures = 1;
    receiver.answer('/late', (response) => {
      response.writeHead(failures-- > 0 ? 503 : 200).end('<img src=x onerror="document.title=1">');
    });
    await create('Late channel', `${receiver.origin}/late`);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('row', { name: /^1 .*Status 503/ }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    expect(await page.locator('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page
      .getByRole('row', { name: /^1 \(round 2\) .*Status 200/ })
      .waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('link', { name: 'Deliveries' }).first().click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Succeeded').waitFor();
  });

  it('are told of by an alert rule that names them', async () => {
    await create('Told channel', `${receiver.origin}/told`);
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    const form = page.getByRole('dialog', { name: 'Create alert rule' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Errors');
    await form.getByRole('textbox', { name: 'Threshold' }).fill('5');
    await form.getByRole('checkbox', { name: 'Owner', exact: true }).uncheck();
    await form.getByRole('checkbox', { name: 'Told channel' }).check();
    await form.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('link', { name: 'Errors', exact: true }).click();
    await page.getByText('1 integration').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByText('Slack').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => expect(receiver.at('/told')).toHaveLength(1), ARRIVES_WITHIN_MS);
  });

  it('say at its field that a URL is not allowed, and are gone once they are deleted', async () => {
    await page.getByRole('button', { name: 'Create integration' }).click();
    const form = page.getByRole('dialog', { name: 'Create integration' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Wrong');
    await form.getByRole('textbox', { name: 'URL' }).fill('https://user:password@hooks.example.com/');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await form.getByRole('textbox', { name: 'URL' }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await create('Doomed channel', `${receiver.origin}/doomed`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const notFound = notFoundBy(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete integration' }).click();
    await page.getByText('Integration deleted.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
    await page.getByRole('link', { name: 'Doomed channel' }).waitFor({ state: 'detached' });
    expect(notFound).toEqual([]);
  });
});
