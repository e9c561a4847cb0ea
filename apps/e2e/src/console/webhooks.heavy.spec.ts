import { createHmac } from 'node:crypto';
import { type Browser, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { RecordingReceiver, type ReceivedCall } from '../harness/recording-receiver';
import { startSvc, type Svc } from '../harness/svc-process';
import { notFoundBy } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const ARRIVES_WITHIN_MS = 60_000;

let svc: Svc;
let receiver: RecordingReceiver;
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
  svc = await startSvc({
    env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', SVC_WEBHOOK_RETRY_DELAYS: '2,2,3600,3600,3600' },
  });
});
afterAll(async () => {
  await svc.stop();
  receiver.close();
});

const TEST = 'webhook.test';
/** The tests that came: an endpoint is told of its own creation, too. */
const tests = (path: string) => receiver.at(path).filter(({ headers }) => headers['svc-event-type'] === TEST);

const dataOf = (call: ReceivedCall | undefined): unknown => {
  const { type, data } = JSON.parse(String(call?.body)) as { readonly type: string; readonly data: object };
  expect(type).toBe(TEST);
  return data;
};

/** Everything that outlives a view: what a page may leave behind, and what it shows. */
const remains = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
    document.title, location.href, history.state, { ...localStorage }, { ...sessionStorage }])`);

inBrowser('the pages of webhooks', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/webhooks');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  /** @returns the signing secret, which one dialog has shown. */
  async function create(path: string): Promise<string> {
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.origin + path);
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your signing secret' });
    const secret = await saved.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: receiver.origin + path, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: receiver.origin + path }).waitFor();
    return secret;
  }

  async function sendTest(): Promise<void> {
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
  }

  it('creates a webhook, sends a test, and shows it arrive', async () => {
    const secret = await create('/fine');
    expect(secret).toMatch(/^whsec_/);
    expect(await remains(page)).not.toContain(secret.slice(-20));
    await sendTest();
    await page.getByRole('heading', { level: 1, name: TEST }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('row', { name: /Status 200/ }).waitFor();
    expect(tests('/fine')).toHaveLength(1);
    expect(dataOf(tests('/fine')[0])).toEqual({ endpoint_id: expect.stringMatching(/^whe_/) as string });
  });

  it('41: sends a test with the example of an event, which arrives signed, as it was shown, and as a test', async () => {
    const secret = await create('/example');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('combobox', { name: 'Include example of' }).fill('payment.succeeded');
    await page.getByRole('option', { name: 'payment.succeeded' }).click();
    const shown = await page.getByRole('region', { name: 'Example of payment.succeeded' }).textContent();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('heading', { level: 1, name: TEST }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: ARRIVES_WITHIN_MS });

    const [arrived, ...more] = tests('/example');
    expect(more).toEqual([]);
    const [, t = '', v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(arrived?.headers['svc-signature'])) ?? [];
    expect(v1).toBe(
      createHmac('sha256', secret)
        .update(`${t}.${String(arrived?.body)}`)
        .digest('hex'),
    );
    expect(dataOf(arrived)).toEqual({
      endpoint_id: expect.stringMatching(/^whe_/) as string,
      example: JSON.parse(shown ?? '') as object,
    });
    expect(JSON.parse(shown ?? '')).toMatchObject({ type: 'payment.succeeded', data: { livemode: true } });
    expect(receiver.at('/example').map(({ headers }) => headers['svc-event-type'])).not.toContain(
      'payment.succeeded',
    );
  });

  it('shows both failures of a receiver, its markup inert, and then its success, without a reload', async () => {
    let failures = 2;
    receiver.answer('/twice', (response, call) => {
      const fails = call.headers['svc-event-type'] === TEST && failures-- > 0;
      response.writeHead(fails ? 503 : 200).end('<img src=x onerror="document.title=1">');
    });
    await create('/twice');
    await sendTest();
    await page.getByRole('row', { name: /^1 .*Status 503/ }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('row', { name: /^2 .*Status 503/ }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByRole('row', { name: /^3 .*Status 200/ }).waitFor({ timeout: ARRIVES_WITHIN_MS });
    await page.getByText('<img src=x onerror="document.title=1">').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('row', { name: /^1 \(round 2\)/ }).waitFor({ timeout: ARRIVES_WITHIN_MS });
  });

  it('rotates the secret, which is shown once, and pauses and enables', async () => {
    const before = await create('/rotated');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your signing secret' });
    const secret = await saved.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(before);
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('Both secrets sign until').waitFor();
    expect(await remains(page)).not.toContain(secret.slice(-20));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
  });

  it('says at its field that a URL is not allowed', async () => {
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('https://user:password@hooks.example.com/');
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    await page
      .getByRole('dialog')
      .locator('p', { hasText: /user name|not allowed|password/ })
      .first()
      .waitFor();
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement?.getAttribute("aria-invalid")')).toBe('true'),
    );
  });

  it('deletes a webhook once its URL is typed', async () => {
    await create('/doomed');
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Delete this webhook?' });
    const action = asked.getByRole('button', { name: 'Delete webhook' });
    expect(await action.getAttribute('aria-disabled')).toBe('true');
    await asked.getByRole('textbox').fill(`${receiver.origin}/doomed`);
    const notFound = notFoundBy(page);
    await action.click();
    await page.getByText('Webhook deleted.').waitFor();
    await page.getByRole('table', { name: 'Webhook endpoints' }).waitFor();
    await page.getByRole('link', { name: `${receiver.origin}/doomed` }).waitFor({ state: 'detached' });
    expect(notFound).toEqual([]);
    await page.goBack();
    await page.getByText('This webhook was not found').waitFor();
  });
});
