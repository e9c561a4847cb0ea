import { copiedText, eventually } from '@svc/testing';
import { type Browser, type Locator, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { catalogOf, testModel } from '../harness/catalog-file';
import { post } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { RecordingReceiver } from '../harness/recording-receiver';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { settled } from './walk';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

/** More than any page has. */
const TAB_STOPS_MAX = 120;

let simulator: Simulator;
let receiver: RecordingReceiver;
let svc: Svc;
beforeAll(async () => {
  simulator = await startSimulator();
  receiver = await RecordingReceiver.start();
  svc = await startSvc({
    catalog: catalogOf({ name: 'one', url: simulator.url }),
    env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
});
afterAll(async () => {
  await svc.stop();
  receiver.close();
  await simulator.stop();
});

inBrowser('the console without a pointer', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  afterEach(() => visit.context.close());

  async function open(path: string): Promise<void> {
    visit = await visitConsole(browser, svc, path);
    ({ page } = visit);
    await settled(page);
  }

  /** Tabs to a part that can be operated, however far away it is. */
  async function tabTo(part: Locator): Promise<void> {
    await part.waitFor();
    for (let stops = 0; stops < TAB_STOPS_MAX; stops++) {
      if (await hasFocus(part)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${String(part)}.`);
  }
  async function press(part: Locator, key = 'Enter'): Promise<void> {
    await tabTo(part);
    await page.keyboard.press(key);
  }
  async function type(part: Locator, text: string): Promise<void> {
    await tabTo(part);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  }
  const hasFocus = async (part: Locator): Promise<boolean> =>
    (await part.and(page.locator(':focus')).count()) === 1;
  const button = (name: string, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name, exact: true });
  /** Expects the focus to be on something, once what the last key began has ended. */
  async function expectFocus(): Promise<void> {
    await page.waitForLoadState('networkidle');
    await eventually(async () => {
      expect(await page.evaluate('document.activeElement?.tagName')).not.toBe('BODY');
    });
  }

  it('creates the key of the first call, and has its code copied', async () => {
    await open('/console/start');
    await press(button('Create key'));
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await expectFocus();
    await tabTo(page.getByRole('tab', { name: 'curl' }));
    await page.keyboard.press('ArrowRight');
    await expectFocus();
    const copy = () => press(button('Copy code', page.getByRole('tabpanel')));
    await copiedText(page, copy, (text) => expect(text).toContain('svc_sk_'));
    await expectFocus();
  });

  it('creates a key and revokes it', async () => {
    await open('/console/keys');
    await press(button('Create key'));
    const create = page.getByRole('dialog');
    await create.waitFor();
    await expectFocus();
    await type(create.getByLabel('Name'), 'By hand');
    await press(button('Create key', create));
    const saved = page.getByRole('dialog', { name: 'Save your key' });
    await saved.waitFor();
    await expectFocus();
    await press(button('I have saved it', saved));
    await saved.waitFor({ state: 'hidden' });
    await expectFocus();
    await press(page.getByRole('link', { name: 'By hand' }));
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();
    await expectFocus();
    await press(button('Revoke'));
    const revoke = page.getByRole('alertdialog');
    await revoke.waitFor();
    await expectFocus();
    await type(revoke.getByLabel('Type “By hand” to confirm'), 'By hand');
    await press(button('Revoke key', revoke));
    await page.getByText('Key revoked.').waitFor();
    await revoke.waitFor({ state: 'hidden' });
    await expectFocus();
  });

  it('goes from the list of requests to one, and back', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const call = await post(svc, '/v1/chat/completions', { model: testModel, max_tokens: 10, messages });
    expect(call.status).toBe(200);
    await open('/console/requests');
    const table = page.getByRole('table', { name: 'Requests' });
    await press(table.getByRole('link').first());
    const beside = page.getByRole('dialog', { name: 'Request' });
    await beside.waitFor();
    await expectFocus();
    await press(beside.getByRole('link', { name: 'Open as page' }));
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
    await expectFocus();
    expect(await hasFocus(page.getByRole('heading', { level: 1 }))).toBe(true);
    await page.goBack();
    await beside.waitFor();
    await page.keyboard.press('Escape');
    await beside.waitFor({ state: 'hidden' });
    await expectFocus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await beside.waitFor();
    await expectFocus();
    expect(visit.problems).toEqual([]);
  });

  it('makes a webhook, tests it, and sends the delivery again', async () => {
    const url = `${receiver.origin}/by-hand`;
    await open('/console/webhooks');
    await press(button('Create webhook'));
    const create = page.getByRole('dialog');
    await create.waitFor();
    await expectFocus();
    await type(create.getByRole('textbox', { name: 'URL' }), url);
    await press(button('Create webhook', create));
    const saved = page.getByRole('dialog', { name: 'Save your signing secret' });
    await saved.waitFor();
    await expectFocus();
    await press(button('I have saved it', saved));
    await saved.waitFor({ state: 'hidden' });
    await press(page.getByRole('link', { name: url, exact: true }));
    await page.getByRole('heading', { level: 1, name: url }).waitFor();
    await press(button('Send test'));
    const test = page.getByRole('dialog', { name: 'Send test' });
    await test.waitFor();
    await expectFocus();
    await press(button('Send test', test));
    await page.getByRole('heading', { level: 1, name: 'webhook.test' }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor();
    await expectFocus();
    await press(button('Send again'));
    await page.getByRole('row', { name: /^1 \(round 2\)/ }).waitFor();
    await expectFocus();
    expect(visit.problems).toEqual([]);
  });

  it('changes the policy and saves it', async () => {
    await open('/console/routing');
    await press(page.getByRole('checkbox', { name: 'Zero retention only' }), 'Space');
    await press(button('Review and save'));
    const review = page.getByRole('dialog');
    await review.waitFor();
    await expectFocus();
    const save = button('Save policy', review).or(button('Save anyway', review));
    await press(save);
    await review.waitFor({ state: 'hidden' });
    await expectFocus();
    expect(visit.problems).toEqual([]);
  });
});
