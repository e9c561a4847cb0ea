import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copiedText } from '@svc/testing';
import { type Browser, type Page } from 'playwright-core';
import { workspaceRoot } from '../harness/app-process';
import { inBrowser, openBrowser } from '../harness/browser';
import { svcOf } from '../harness/clients';
import { cleanEnvironment, pythonOfThisRun } from '../harness/config';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { removeFolder, temporaryFolder } from '../harness/temporary-folder';

const SAID_BY_THE_SIMULATOR = 'Svc simulator';
const RECEIVED_WITHIN_MS = 3_000;

const run = promisify(execFile);

inBrowser('the page of the first call', () => {
  let svc: SharedSvc;
  let browser: Browser;
  let visit: ConsoleVisit;
  /** Of somebody who has installed the SDKs. */
  let folder: string;
  beforeAll(async () => {
    [svc, browser, folder] = await Promise.all([sharedSvc(), openBrowser(), temporaryFolder()]);
    await symlink(join(workspaceRoot, 'node_modules'), join(folder, 'node_modules'));
    visit = await visitConsole(browser, svc);
  });
  afterAll(async () => {
    await browser.close();
    await removeFolder(folder);
  });

  async function copied(page: Page, tab: string): Promise<string> {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    const panel = page.getByRole('tabpanel', { name: tab });
    return copiedText(
      page,
      () => panel.getByRole('button', { name: 'Copy code' }).click(),
      (text) => expect(text).toContain('svc_sk_'),
    );
  }

  /** @returns what it printed. */
  async function runAs(program: string, file: string, code: string): Promise<string> {
    await writeFile(join(folder, file), code);
    const { stdout } = await run(program, [file], { cwd: folder, env: cleanEnvironment({}) });
    return stdout;
  }

  it('stands in for the overview, and shows the call of its own code with what it cost', async () => {
    const { page, problems } = visit;
    await page.getByRole('heading', { level: 1, name: 'Make your first call' }).waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await page.getByText('Waiting for your first call…').waitFor();
    const answer: unknown = JSON.parse(await runAs('sh', 'first-call.sh', await copied(page, 'curl')));
    await page.getByRole('status').getByText('First call received').waitFor({ timeout: RECEIVED_WITHIN_MS });
    const nanos = svcOf(answer).cost.customer_nanos.toLocaleString('en-US');
    await page.getByText(`· ${nanos} nanos`).waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    ['OpenAI SDK, JavaScript', 'first-call.mjs'],
    ['Anthropic SDK, JavaScript', 'first-call.mjs'],
  ])('has code for the %s that runs as it is copied', async (tab, file) => {
    const code = await copied(visit.page, tab);
    expect(await runAs(process.execPath, file, code)).toContain(SAID_BY_THE_SIMULATOR);
  });

  const withPython = pythonOfThisRun === null ? it.skip : it;
  withPython.each(['OpenAI SDK, Python', 'Anthropic SDK, Python'])(
    'has code for the %s that runs as it is copied',
    async (tab) => {
      const code = await copied(visit.page, tab);
      expect(await runAs(pythonOfThisRun ?? '', 'first_call.py', code)).toContain(SAID_BY_THE_SIMULATOR);
    },
  );

  it('leads to the overview, which has the calls', async () => {
    const { page, problems } = visit;
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('names why a call was refused, and what to do', async () => {
    const { page, context } = await visitConsole(browser, svc, '/console/start');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    const answer = await fetch(`${svc.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'nobody/none', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(answer.status).toBe(404);
    await page.getByText('A call was refused').waitFor({ timeout: 60_000 });
    await page.getByText('The model is unknown, or the routing policy does not allow it.').waitFor();
    await context.close();
  });
});
