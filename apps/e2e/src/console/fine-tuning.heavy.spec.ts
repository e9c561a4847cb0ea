import { toFile } from 'openai';
import { type Browser, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { inBrowser, openBrowser } from '../harness/browser';
import { openAiClient } from '../harness/clients';
import { storageOfThisRun } from '../harness/config';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { newMember } from './new-member';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const MODEL = 'simulator/echo';
/** A worker asks the provider, and the page the service, several times until a job has ended. */
const ENDED = { timeout: 90_000 };

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { ...storageOfThisRun, SVC_FINE_TUNING_POLL_SECONDS: '1' } });
});
afterAll(() => svc.stop());

/** @param directive what the simulator is to do with the job. */
async function upload(filename: string, directive: object = {}): Promise<void> {
  const lines = Array.from({ length: 12 }, (_, at) => {
    const asked = at === 0 ? `@simulator ${JSON.stringify({ train_ms: 300, ...directive })}` : 'Question';
    const messages = [
      { role: 'user', content: asked },
      { role: 'assistant', content: 'Yes.' },
    ];
    return `${JSON.stringify({ messages })}\n`;
  });
  const file = await toFile(Buffer.from(lines.join('')), filename);
  await openAiClient(svc).files.create({ file, purpose: 'fine-tune' });
}

async function managed<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${svc.apiKey}` };
  return (await (await fetch(`${svc.baseUrl}/api/v1${path}`, { headers })).json()) as T;
}
const balance = async (): Promise<number> =>
  (await managed<{ balance_nanos: number }>('/wallet')).balance_nanos;

inBrowser('the pages of fine-tuning', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    visit = await visitConsole(browser, svc, '/console/fine-tuning');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  /** Orders a job in the form, and opens its page. */
  async function order(filename: string, suffix: string): Promise<void> {
    await page.getByRole('button', { name: 'Create job' }).click();
    const form = page.getByRole('dialog', { name: 'Create fine-tuning job' });
    await form.getByRole('combobox', { name: 'Model' }).fill(MODEL);
    // Another model has its name with more to it.
    await page.getByRole('option', { name: new RegExp(`^${MODEL} `) }).click();
    await form.getByRole('combobox', { name: 'Training file' }).fill(filename);
    await page.getByRole('option', { name: filename }).click();
    await form.getByRole('textbox', { name: 'Suffix' }).fill(suffix);
    await form.getByRole('button', { name: 'Create job' }).click();
    await page.getByText('Job created.').waitFor();
    await page.getByRole('link', { name: `${MODEL} · ${suffix}` }).click();
    await page.getByRole('heading', { level: 1, name: `${MODEL} · ${suffix}` }).waitFor();
  }
  const jobOfPage = (): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

  it('trains a model without a reload, says what it cost to the nano, and takes the model away', async () => {
    await upload('support.jsonl');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('table', { name: 'Training files' }).getByText('support.jsonl').waitFor();
    const before = await balance();

    await order('support.jsonl', 'support');
    await page.getByText('Succeeded', { exact: true }).waitFor(ENDED);
    const job = await managed<{ charged_nanos: number; fine_tuned_model: string }>(
      `/fine-tuning/jobs/${jobOfPage()}`,
    );
    expect(job.charged_nanos).toBeGreaterThan(0);
    const charged = new Intl.NumberFormat('en-US').format(job.charged_nanos);
    await page.getByRole('region', { name: 'Cost' }).getByText(`${charged} nanos`).waitFor();
    expect(before - (await balance())).toBe(job.charged_nanos);
    await page.getByRole('figure', { name: /^Training loss fell from .* by step 9\.$/ }).waitFor();
    await page
      .getByRole('table', { name: 'Events' })
      .getByText('The job has successfully completed')
      .waitFor();

    await page.getByRole('link', { name: 'Try in playground' }).waitFor();
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const answer = await eventually(() =>
      openAiClient(svc).chat.completions.create({ model: job.fine_tuned_model, messages }),
    );
    expect(answer.model).toBe(job.fine_tuned_model);

    await page.getByRole('link', { name: 'Fine-tuning', exact: true }).first().click();
    await page.getByRole('tab', { name: 'Models' }).click();
    const models = page.getByRole('table', { name: 'Tuned models' });
    await models.getByText(job.fine_tuned_model).waitFor();
    await models.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByRole('textbox').fill(job.fine_tuned_model);
    await asked.getByRole('button', { name: 'Delete model' }).click();
    await page.getByText('No tuned models yet').waitFor();
  });

  it('serves a model by an endpoint, says what it costs while it runs, and that it was stopped', async () => {
    await upload('served.jsonl');
    await order('served.jsonl', 'served');
    await page.getByText('Succeeded', { exact: true }).waitFor(ENDED);
    const { fine_tuned_model: model } = await managed<{ fine_tuned_model: string }>(
      `/fine-tuning/jobs/${jobOfPage()}`,
    );

    await page.goto(`${svc.baseUrl}/console/fine-tuning?tab=endpoints`);
    await page.getByText('No endpoints').waitFor();
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'Create endpoint' });
    await form.getByRole('combobox', { name: 'Model' }).fill(model);
    await page.getByRole('option', { name: model }).click();
    await form.getByRole('combobox', { name: 'Hardware' }).fill('sim-small');
    await page.getByRole('option', { name: 'sim-small $1.000000000 per hour' }).click();
    await form.getByRole('textbox', { name: 'Cost limit per run' }).fill('0.5');
    await form.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByText('Endpoint created.').waitFor();
    await page.getByRole('table', { name: 'Endpoints' }).getByRole('link', { name: model }).click();

    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start endpoint' }).click();
    await page.getByText('Running', { exact: true }).waitFor(ENDED);
    const cost = page.getByRole('region', { name: 'Cost' });
    await cost.getByText('$0.0167 per minute').waitFor();
    await cost.getByText('Current run').waitFor();

    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop endpoint' }).click();
    await page.getByText('Stopped by a user.').waitFor(ENDED);
    await page.getByText('Stopped', { exact: true }).waitFor(ENDED);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByText('No endpoints').waitFor();
  });

  it('cancels a job that runs on', async () => {
    await upload('endless.jsonl', { job: 'hangs' });
    const before = await balance();
    await order('endless.jsonl', 'endless');
    await page.getByText('Training', { exact: true }).waitFor(ENDED);
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor(ENDED);
    await page.getByRole('region', { name: 'Cost' }).getByText('0 nanos').waitFor();
    expect(await balance()).toBe(before);
  });

  it('says in words that the provider does not take a file', async () => {
    await upload('wrong.jsonl', { file: 'rejected' });
    await order('wrong.jsonl', 'wrong');
    await page.getByText('The provider rejected the training file.').waitFor(ENDED);
  });

  it('shows everything to a viewer, without buttons', async () => {
    const visitor = await newMember(browser, svc, 'viewer', 'viewer@example.com');
    const theirs = await visitConsole(browser, svc, '/console/fine-tuning', { visitor });
    await theirs.page.getByRole('table', { name: 'Fine-tuning jobs' }).getByRole('link').first().click();
    await theirs.page.getByRole('region', { name: 'Cost' }).waitFor();
    expect(await theirs.page.getByRole('button', { name: /job$/ }).count()).toBe(0);
    await theirs.page.goto(`${svc.baseUrl}/console/fine-tuning?tab=endpoints`);
    await theirs.page.getByText('No endpoints').waitFor();
    expect(await theirs.page.getByRole('button', { name: /endpoint$/ }).count()).toBe(0);
    await theirs.context.close();
    expect(theirs.problems).toEqual([]);
  });
});
