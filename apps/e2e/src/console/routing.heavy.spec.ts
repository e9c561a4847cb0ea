import { eventually } from '@svc/testing';
import { type Browser, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { catalogOf, testModel } from '../harness/catalog-file';
import { svcOf } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { newMember } from './new-member';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

/** How long a new version may take to reach calls (docs/reference/limits-and-budgets.md). */
const HOLDS_MS = 35_000;

let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  simulator = await startSimulator();
  const { url } = simulator;
  svc = await startSvc({
    catalog: catalogOf({ name: 'near', url, region: 'eu' }, { name: 'far', url, region: 'us' }),
  });
});
afterAll(async () => {
  await svc.stop();
  await simulator.stop();
});

const json = { 'content-type': 'application/json' };
const api = (method: string, path: string, body?: object) =>
  fetch(`${svc.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, ...json },
    ...(body && { body: JSON.stringify(body) }),
  });
const chat = (project?: string) =>
  fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, ...json, ...(project && { 'x-svc-project': project }) },
    body: JSON.stringify({ model: testModel, messages: [{ role: 'user', content: 'Hello' }] }),
  });
interface Written {
  readonly version: number;
  readonly denied_regions: readonly string[];
  readonly sort: string;
}
const inForce = async () => (await (await api('GET', '/policy')).json()) as Written;

const choose = (page: Page, group: string, mode: string) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name: mode, exact: true }).check();
const review = (page: Page) => page.getByRole('button', { name: 'Review and save' }).click();

inBrowser('the page of routing', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    expect((await api('PUT', '/policy', {})).status).toBe(200);
    visit = await visitConsole(browser, svc, '/console/routing?route=chat_completions');
    ({ page } = visit);
    await page.getByRole('list', { name: 'Tried in this order' }).waitFor();
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  it('shows the order of a draft before it is saved, which calls then follow', async () => {
    const order = page.getByRole('list', { name: 'Tried in this order' }).getByRole('listitem');
    await order.nth(0).getByText('near-chat').waitFor();
    await choose(page, 'Allowed regions', 'All but these…');
    await page.getByRole('combobox', { name: 'Add a region' }).fill('eu');
    await page.getByRole('option', { name: 'eu' }).click();
    await page.getByText(`1 model changes its first provider: ${testModel}.`).waitFor();
    await order.nth(0).getByText('far-chat').waitFor();
    await page.getByText('Denied by the draft: region eu.').first().waitFor();
    await review(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Changes' }).getByText('adds eu').waitFor();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText(/Saved as version \d+/).waitFor();
    expect((await inForce()).denied_regions).toEqual(['eu']);
    await eventually(async () => {
      expect(svcOf(await (await chat()).json()).provider).toBe('far-chat');
    }, HOLDS_MS);
  });

  it('shows the refusal that calls get, and wants "Save anyway" for models that were called', async () => {
    await eventually(async () => expect((await chat()).status).toBe(200), HOLDS_MS);
    await eventually(async () => {
      const usage = (await (await api('GET', '/usage?group_by=model')).json()) as { data: object[] };
      expect(usage.data).not.toEqual([]);
    }, HOLDS_MS);
    await choose(page, 'Allowed providers', 'Only these…');
    await page.getByText('No providers allowed. All calls are refused.').waitFor();
    await page.getByText('The call is refused with 422 no_eligible_route.').waitFor();
    await choose(page, 'Allowed providers', 'All');
    await choose(page, 'Allowed models', 'Only these…');
    await page.getByText('The call is refused with 404 not_found.').waitFor();
    await review(page);
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('row', { name: new RegExp(testModel) })
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText(/Saved as version \d+/).waitFor();
    await eventually(async () => expect((await chat()).status).toBe(404), HOLDS_MS);
  });

  it('tells the second of two editors who wrote since, with both changes, and loses nothing', async () => {
    await page.getByRole('radio', { name: 'Throughput' }).check();
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    expect((await api('PUT', '/policy', { sort: 'latency', denied_regions: ['us'] })).status).toBe(200);
    const { version } = await inForce();
    await review(page);
    await page.getByRole('button', { name: 'Save policy' }).click();
    const conflict = page.getByRole('dialog', { name: 'The policy changed while you were editing' });
    await conflict.getByText(`Version ${String(version)} was written by`).waitFor();
    await conflict.getByRole('list', { name: 'Their changes' }).getByText('adds us').waitFor();
    await conflict.getByRole('list', { name: 'Your changes' }).getByText('Price → Throughput').waitFor();
    expect((await inForce()).version).toBe(version);
    await conflict.getByRole('button', { name: `Apply my changes to version ${String(version)}` }).click();
    await review(page);
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText(`Saved as version ${String(version + 1)}.`).waitFor();
    expect(await inForce()).toMatchObject({
      version: version + 1,
      sort: 'throughput',
      denied_regions: ['us'],
      require_zero_retention: true,
    });
  });

  it('restores a version as the next one, without a difference to it', async () => {
    await api('PUT', '/policy', { sort: 'latency', max_attempts: 2 });
    const { version } = await inForce();
    await api('PUT', '/policy', { denied_regions: ['us'] });
    await page.reload();
    await page.getByRole('button', { name: `Restore version ${String(version)}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Changes' }).getByText('removes us').waitFor();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText(`Saved as version ${String(version + 2)}.`).waitFor();
    await page.getByRole('link', { name: `Version ${String(version)}`, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `Version ${String(version)}` }).waitFor();
    await page
      .getByRole('region', {
        name: `Changes from this version to the current version ${String(version + 2)}`,
      })
      .getByText('No differences.')
      .waitFor();
  });

  it('adds, removes and saves by keyboard alone, and never loses the focus', async () => {
    const focused = () => page.evaluate<string>('document.activeElement.tagName');
    await page.getByRole('group', { name: 'Allowed regions' }).getByLabel('All', { exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    for (const region of ['us', 'of-no-catalog']) {
      await page.getByRole('combobox', { name: 'Add a region' }).focus();
      await page.keyboard.type(region);
      await page.getByRole('option', { name: region }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${region}` }).waitFor();
      expect(await focused()).toBe('INPUT');
    }
    await page.getByRole('button', { name: 'Remove of-no-catalog' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove of-no-catalog' }).waitFor({ state: 'detached' });
    expect(await focused()).toBe('INPUT');
    await page.getByRole('button', { name: 'Review and save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy', disabled: false }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/Saved as version \d+/).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused()).toBe('BUTTON');
    expect((await inForce()).denied_regions).toEqual(['us']);
  });

  it('narrows one project, which its calls follow alone, and says in Effective who decided it', async () => {
    const made = await api('POST', '/projects', { name: 'Narrow' });
    const { id } = (await made.json()) as { id: string };
    const statusIn = async (project?: string) => (await chat(project)).status;
    expect([await statusIn(), await statusIn(id)]).toEqual([200, 200]);
    await page.goto(`${svc.baseUrl}/console/routing`);
    await page.getByRole('radio', { name: 'Project', exact: true }).check();
    await page.getByRole('combobox', { name: 'Project', exact: true }).fill('Narrow');
    await page.getByRole('option', { name: /Narrow/ }).click();
    await page.getByText('No project policy yet.').waitFor();
    expect(await page.getByRole('radio', { name: 'Throughput' }).count()).toBe(0);
    await choose(page, 'Allowed models', 'Only these…');
    await page.getByText('The call is refused with 404 not_found.').waitFor();
    await review(page);
    await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Saved as version 1.').waitFor();
    await eventually(async () => expect(await statusIn(id)).toBe(404), HOLDS_MS);
    expect(await statusIn()).toBe(200);
    await page.getByRole('link', { name: 'Show the effective policy' }).click();
    const models = page.getByRole('row', { name: /^Allowed models/ });
    await models.getByRole('link', { name: 'Project, version 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Version 1' }).waitFor();
    await page.getByText('This is the current version.').waitFor();
    expect((await api('PATCH', `/projects/${id}`, { state: 'archived' })).status).toBe(200);
    await page.getByRole('link', { name: 'Routing of the project' }).click();
    await page.getByText(/^This project is archived\./).waitFor();
  });

  it('takes the same policy as JSON, and asks before a draft is left', async () => {
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByRole('textbox', { name: 'Policy as JSON' });
    await json.fill('{"sort": "speed"}');
    await page.getByText('sort is not a policy field, or its value is not valid.').waitFor();
    await json.fill('{"denied_regions": ["eu", "of-no-catalog"]}');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByRole('list', { name: 'Denied regions' }).getByText('not in the catalog').waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('list', { name: 'Denied regions' }).getByText('of-no-catalog').waitFor();
  });

  it('shows a viewer all of it, and lets them try, without a button to save or restore', async () => {
    await api('PUT', '/policy', { sort: 'latency' });
    const viewer = await newMember(browser, svc, 'viewer', 'the-viewer@example.com');
    const other = await visitConsole(browser, svc, '/console/routing', { visitor: viewer });
    try {
      await other.page.getByRole('table', { name: 'Versions of the policy' }).waitFor();
      await other.page.getByRole('checkbox', { name: 'Zero retention only' }).check();
      await other.page.getByText('1 field changed').waitFor();
      expect(await other.page.getByRole('button', { name: /save|restore/i }).count()).toBe(0);
      expect(other.problems).toEqual([]);
    } finally {
      await other.context.close();
    }
  });
});
