import { eventually } from '@svc/testing';
import { type Browser, type Page } from 'playwright-core';
import { catalogOf, testModel } from '../harness/catalog-file';
import { inBrowser, openBrowser } from '../harness/browser';
import { directed, post } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const UNKNOWN_KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const UNKNOWN_PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
const SLOW_MS = 300;
/** On a busy machine. */
const ROWS_WITHIN_MS = 10_000;
const HOSTILE = `<img src=x onerror=alert(1)>"'\\%_{}$`;

interface Call {
  readonly id: string;
  readonly created_at: string;
  readonly duration_ms: number;
  readonly ttft_ms: number | null;
  readonly cost: { readonly customer_nanos: number };
}

let simulator: Simulator;
let svc: Svc;
/** All calls, newest first. */
let calls: readonly Call[];
/** A key of a project of its own. */
let other: { readonly id: string; readonly project: string };

beforeAll(async () => {
  simulator = await startSimulator();
  const { url } = simulator;
  svc = await startSvc({ catalog: catalogOf({ name: 'first', url }, { name: 'second', url }) });
  const project = (await api('POST', '/projects', { name: 'Search' })) as { id: string };
  const made = { name: 'Search', scopes: ['inference:invoke'], project_id: project.id };
  const { api_key, key } = (await api('POST', '/keys', made)) as { api_key: { id: string }; key: string };
  other = { id: api_key.id, project: project.id };
  await call({ says: { reply_words: 5 } });
  await call({ says: { reply_words: 300 }, session: 'night-42' });
  await call({ says: { reply_words: 5 }, stream: true });
  await call({ says: { reply_words: 5, delay_ms: SLOW_MS }, secret: key });
  // The first endpoint fails, and the second answers; then both fail.
  await call({ says: { only_model: 'first-model', status: 500 } });
  await call({ says: { status: 500 } });
  ({ data: calls } = (await api('GET', '/requests')) as { data: Call[] });
  expect(calls).toHaveLength(6);
});
afterAll(async () => {
  await svc.stop();
  await simulator.stop();
});

async function call({
  says,
  secret = svc.apiKey,
  session,
  stream = false,
}: {
  readonly says: Record<string, unknown>;
  readonly secret?: string;
  readonly session?: string;
  readonly stream?: boolean;
}): Promise<void> {
  const headers = {
    authorization: `Bearer ${secret}`,
    ...(session !== undefined && { 'svc-session-id': session }),
  };
  const body = { model: testModel, max_tokens: 1_000, stream, messages: [directed(says, 'Hello')] };
  await (await post(svc, '/v1/chat/completions', body, { headers })).text();
}

async function api(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([path, answer.ok]).toEqual([path, true]);
  return answer.json();
}

/** Resolves when the rows are those of these calls: their links open them. */
async function showsCalls(page: Page, wanted: readonly Call[]): Promise<void> {
  const table = page.getByRole('table', { name: 'Requests' });
  // A page takes longer to load on a busy machine than rows take to change.
  await table.waitFor();
  await eventually(async () => {
    const links = table.getByRole('row').getByRole('link', { name: /ago|now/ });
    const opened = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(opened.map((address) => /open=(req_\w+)/.exec(address)?.[1])).toEqual(wanted.map(({ id }) => id));
  }, ROWS_WITHIN_MS);
}

/** The address and the API's query of each filter, and how many of the six calls meet it. */
const filters = (): readonly (readonly [address: string, query: string, count: number])[] => {
  const dearest = Math.max(...calls.map(({ cost }) => cost.customer_nanos));
  const dollars = (dearest / 1e9).toFixed(9);
  const middle = calls[3]?.created_at ?? '';
  // On a busy machine others are slow, too.
  const slow = calls.filter(({ duration_ms: ms }) => ms >= SLOW_MS).length;
  const late = calls.filter(({ ttft_ms: ms }) => ms !== null && ms >= SLOW_MS).length;
  return [
    ['status=failed', 'status=failed', 1],
    ['failed=true', 'failed=true', 1],
    ['failed=false', 'failed=false', 5],
    ['status=failed,succeeded', 'status=failed,succeeded', 6],
    [`model=${testModel}`, `model=${testModel}`, 6],
    ['provider=second-chat', 'provider=second-chat', 1],
    ['provider=first-chat,second-chat', 'provider=first-chat,second-chat', 5],
    [`key=${other.id}`, `api_key_id=${other.id}`, 1],
    [`project=${other.project}`, `project_id=${other.project}`, 1],
    ['http_status=502', 'http_status=502', 1],
    ['error=provider_error', 'error_code=provider_error', 1],
    ['attempts=2', 'attempts_min=2', 2],
    [`cost=${dollars}`, `min_cost_nanos=${String(dearest)}`, 1],
    [`duration=${String(SLOW_MS)}`, `min_duration_ms=${String(SLOW_MS)}`, slow],
    [`first_token=${String(SLOW_MS)}`, `min_ttft_ms=${String(SLOW_MS)}`, late],
    ['stream=true', 'stream=true', 1],
    ['stream=false', 'stream=false', 5],
    ['session=night-42', 'session_id=night-42', 1],
    [`after=${middle}`, `created_after=${middle}`, 4],
    [`before=${middle}`, `created_before=${middle}`, 2],
    ['status=succeeded&attempts=2&stream=false', 'status=succeeded&attempts_min=2&stream=false', 1],
  ];
};

inBrowser('the filters of the requests', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    visit = await visitConsole(browser, svc, '/console/requests');
    ({ page } = visit);
  });
  afterAll(() => browser.close());
  afterEach(() => {
    expect(visit.problems).toEqual([]);
  });
  const open = (query: string) => page.goto(`${svc.baseUrl}/console/requests?${query}`);

  it('show for each address the rows that the API has for it, alone and together', async () => {
    for (const [address, query, count] of filters()) {
      const { data } = (await api('GET', `/requests?${query}`)) as { data: Call[] };
      expect([query, data.length]).toEqual([query, count]);
      await open(address);
      await showsCalls(page, data);
    }
  });

  it('narrow from the form and by a press on a value as the address does, and go one by one', async () => {
    await open('');
    await page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'Attempts' }).click();
    await page.getByRole('textbox', { name: 'Attempts' }).fill('2');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Clear Attempts' }).waitFor();
    const [failed, fellBack] = calls;
    await showsCalls(page, [failed!, fellBack!]);
    await page.getByRole('table', { name: 'Requests' }).getByRole('link', { name: 'second-chat' }).click();
    await page.getByRole('button', { name: 'Clear Provider' }).waitFor();
    await showsCalls(page, [fellBack!]);
    await page.getByRole('button', { name: 'Clear Attempts' }).click();
    await page.getByRole('button', { name: 'Clear Attempts' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toMatch(/provider=second-chat/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Clear Provider' }).waitFor({ state: 'detached' });
    await showsCalls(page, calls);
  });

  it.each([
    ['a key that does not exist', `key=${UNKNOWN_KEY}`],
    ['a project that does not exist', `project=${UNKNOWN_PROJECT}`],
    ['a model with markup', `model=${encodeURIComponent(HOSTILE)}`],
    ['an error code with markup', `error=${encodeURIComponent(HOSTILE)}`],
    ['a provider in quotation marks', `provider=${encodeURIComponent(`' OR 1=1 --`)}`],
    ['a session that does not exist', `session=${encodeURIComponent("<b>&%00'")}`],
    ['a character without width', `provider=${encodeURIComponent('first\u200b-chat')}`],
    ['a time that is to come', 'after=2999-01-01T00:00:00Z'],
    ['a span that ends before it begins', 'after=2026-02-02T00:00:00Z&before=2026-01-01T00:00:00Z'],
    ['a cost above any', 'cost=1000000'],
  ])('say that no request matches %s, and offer to clear the filters', async (_, query) => {
    await open(query);
    await page.getByText('No requests match these filters.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByText('No requests match these filters.').waitFor({ state: 'detached' });
    await showsCalls(page, calls);
  });

  it.each([
    ['a status that is none', 'status=broken'],
    ['an id that is none', `key=${encodeURIComponent("key_1' OR '1")}`],
    ['an HTTP status beyond all', 'http_status=999'],
    ['a time without a zone', 'after=2026-11-22T10:00'],
    ['a session with a space', 'session=night%2042'],
    ['a session that is too long', `session=${'n'.repeat(129)}`],
    [
      'more models than the API takes',
      `model=${Array.from({ length: 51 }, (_, nth) => `m${String(nth)}`).join()}`,
    ],
    ['a day that there is not', 'after=2026-02-30T00:00:00Z'],
    ['a cost beyond all', 'cost=99999999999'],
    ['nothing but a space', 'provider=%20'],
    ['a line break', 'model=acme%0Asmall'],
    ['a word that is a number elsewhere', 'attempts=two'],
  ])('leave out %s, and name it', async (_, query) => {
    await open(query);
    await showsCalls(page, calls);
    const [name = ''] = query.split('=');
    await page
      .getByText(new RegExp(`left out.*${name}|${name}.*left out`, 'i'))
      .first()
      .waitFor();
  });
});
