import { type Browser, type Locator, type Page } from 'playwright-core';
import { inBrowser, openBrowser } from '../harness/browser';
import { catalogOf, testModel } from '../harness/catalog-file';
import { directedText } from '../harness/clients';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const ROUTES = ['chat', 'messages'] as const;
const PLAIN_MODEL = 'test/plain';
const WITHIN_MS = 20_000;

let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  simulator = await startSimulator();
  const catalog = catalogOf({ name: 'first', url: simulator.url, region: 'eu' });
  const [model] = catalog.models;
  svc = await startSvc({
    catalog: {
      ...catalog,
      models: [...catalog.models, { ...model!, id: PLAIN_MODEL, display_name: 'Plain' }],
      endpoints: [
        ...catalog.endpoints,
        ...catalog.endpoints.map((endpoint) => ({
          ...endpoint,
          model: PLAIN_MODEL,
          upstream_model: 'plain',
          parameters: ['temperature'],
        })),
      ],
    },
  });
});
afterAll(async () => {
  await svc.stop();
  await simulator.stop();
});

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function api(method: string, path: string, body?: object): Promise<Answered> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

interface Key {
  readonly id: string;
  readonly state: string;
  readonly name: string;
  readonly expires_at: string;
  readonly created_at: string;
}

async function playgroundKeys(): Promise<readonly Key[]> {
  const { body } = await api('GET', '/keys?purpose=playground');
  return body['data'] as Key[];
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to hold in time.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const allRevoked = () =>
  until(async () => (await playgroundKeys()).every(({ state }) => state === 'revoked'));

inBrowser('the playground', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    await simulator.clearJournal();
    visit = await visitConsole(browser, svc, '/console/keys');
    ({ page } = visit);
  });
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  async function open(search: string): Promise<void> {
    await page.goto(`${svc.baseUrl}/console/playground?${search}`);
    await page.getByRole('combobox', { name: 'Model', exact: true }).waitFor();
  }
  async function send(directive: Record<string, unknown>, words = 'Hello'): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(directedText(directive, words));
    await page.getByRole('button', { name: 'Send' }).click();
  }
  const log = (model = testModel): Locator => page.getByRole('log', { name: `Conversation with ${model}` });
  async function openedRequest(): Promise<{ id: string; cost: { customer_nanos: number }; status: string }> {
    const address = await page.getByRole('link', { name: 'Open the request' }).last().getAttribute('href');
    const id = /req_[0-9a-z]+/.exec(address ?? '')?.[0] ?? '';
    return (await api('GET', `/requests/${id}`)).body as Awaited<ReturnType<typeof openedRequest>>;
  }
  const shownCost = ({ customer_nanos: nanos }: { readonly customer_nanos: number }): Locator =>
    page.getByText(`· ${nanos.toLocaleString('en-US')} nanos`);

  it.each(ROUTES)('shows the text of %s growing, and what it cost to the nano', async (route) => {
    await open(`model=${testModel}&route=${route}`);
    await page.getByText(/^Calls are real and are charged to .+Available: \$/).waitFor();
    await send({ reply_words: 40, chunk_delay_ms: 100 });
    const lengths = new Set<number>();
    while (!(await page.getByRole('link', { name: 'Open the request' }).isVisible())) {
      lengths.add((await log().innerText()).length);
      await page.waitForTimeout(50);
    }
    expect(lengths.size).toBeGreaterThan(5);
    const request = await openedRequest();
    expect(request.cost.customer_nanos).toBeGreaterThan(0);
    await shownCost(request.cost).waitFor();
    await page
      .getByRole('list', { name: 'Attempts' })
      .getByText(/first-(chat|messages) · eu · answered/)
      .waitFor();
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor();
    await shownCost(request.cost).first().waitFor();
  });

  it.each(ROUTES)('stops a call of %s at the provider, and shows what it cost until then', async (route) => {
    await open(`model=${testModel}&route=${route}`);
    await send({ reply_words: 400, chunk_delay_ms: 200 });
    await page.getByText('Waiting for the response…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. Usage so far is charged.').waitFor();
    await until(async () => (await simulator.journal()).some(({ outcome }) => outcome === 'interrupted'));
    await log().getByText('Cancelled', { exact: true }).waitFor();
    const request = await openedRequest();
    expect(request.status).toBe('cancelled');
    await shownCost(request.cost).waitFor();
  });

  it('finds the call that was stopped before its answer began', async () => {
    await open(`model=${testModel}&stream=false`);
    await send({ delay_ms: 60_000 });
    await until(async () => {
      const { body } = await api('GET', '/requests?status=pending');
      return (body['data'] as unknown[]).length > 0;
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    // No provider has told a usage.
    await log().getByText('Usage unknown', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Attempts' }).getByText('client left').waitFor();
    expect((await openedRequest()).status).toBe('reconciliation_required');
  });

  it.each(ROUTES)(
    'shows a whole answer of %s, and sends what was said before with the next message',
    async (route) => {
      await open(`model=${testModel}&route=${route}&stream=false`);
      await send({ reply: 'I am whole.' });
      await log().getByText('I am whole.', { exact: true }).waitFor();
      const first = (await simulator.journal()).at(-1);
      expect(first).toMatchObject({ stream: false });
      await page.getByRole('link', { name: 'Open the request' }).waitFor();
      await send({ reply: 'Again.' });
      await log().getByText('Again.', { exact: true }).waitFor();
      expect((await simulator.journal()).at(-1)?.bytes).toBeGreaterThan(first?.bytes ?? Infinity);
    },
  );

  /** The code and the request id of the last refusal, and its message. */
  const alerted = async (message: RegExp, code: string): Promise<void> => {
    const alert = log().getByRole('alert').last();
    await alert.getByText(code, { exact: true }).waitFor();
    await alert.getByText(/^req_[0-9a-z]+$/).waitFor();
    expect(await alert.getByRole('paragraph').first().innerText()).toMatch(message);
  };

  it('says why a budget refuses a call, with its request id', async () => {
    const { body } = await api('POST', '/budgets', {
      ...{ name: 'Of a spec', scope: 'organization', scope_id: svc.organizationId, period: 'day' },
      ...{ amount_nanos: 1, action: 'block' },
    });
    try {
      await open(`model=${testModel}`);
      await send({});
      await alerted(/^The budget "Of a spec"/, 'budget_exceeded');
      await page.getByText('No request recorded. Nothing was charged.').waitFor();
    } finally {
      await api('DELETE', `/budgets/${String(body['id'])}`);
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
  });

  it('marks a parameter that would be omitted; the call is 422 when it is strict', async () => {
    await open(`model=${PLAIN_MODEL}&strict=true`);
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByText('Would be omitted.').first().waitFor();
    await page.getByRole('textbox', { name: 'Seed' }).fill('7');
    await send({});
    const alert = log(PLAIN_MODEL).getByRole('alert');
    await alert.getByText('capability_unsupported', { exact: true }).waitFor();
    await alert.getByText(/^req_[0-9a-z]+$/).waitFor();
    await page.getByRole('checkbox', { name: 'Strict' }).uncheck();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('list', { name: 'Warnings' }).getByText('seed').first().waitFor();
  });

  it('says that a pasted key has called too often, and sends the key to /v1 alone', async () => {
    const { body } = await api('POST', '/keys', {
      ...{ name: 'Pasted', scopes: ['inference:invoke'], rate_limit_rpm: 1 },
    });
    const secret = String(body['key']);
    const sentTo: string[] = [];
    page.on('request', (request) => {
      if (JSON.stringify([request.headers(), request.postData(), request.url()]).includes(secret))
        sentTo.push(new URL(request.url()).pathname);
    });
    await open(`model=${testModel}`);
    await page.getByRole('radio', { name: 'Your own key' }).check();
    await page.getByLabel('API key').fill(secret);
    await send({});
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
    await send({});
    await alerted(/limit of 1 request/, 'rate_limit');
    expect(new Set(sentTo)).toEqual(new Set(['/v1/chat/completions']));
    expect(await remainsOf(page)).not.toContain(secret);
  });

  it.each(ROUTES)('says that a stream of %s was cut, beside what had come', async (route) => {
    await open(`model=${testModel}&route=${route}`);
    await send({ reply_words: 30, cut_after: 8 });
    await alerted(/.+/, 'provider_error');
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
  });

  it('makes a key for an hour, keeps it nowhere, and revokes it when the page is left', async () => {
    // A browser that is ended, as those of earlier specs were, may send nothing more.
    for (const { id, state } of await playgroundKeys())
      if (state !== 'revoked') await api('DELETE', `/keys/${id}`);
    const secrets: Promise<string>[] = [];
    page.on('response', (answer) => {
      if (answer.request().method() === 'POST' && answer.url().endsWith('/keys'))
        secrets.push(answer.json().then(({ key }: { key: string }) => key));
    });
    await open(`model=${testModel}&project=${svc.projectId}`);
    expect((await playgroundKeys()).filter(({ state }) => state === 'active')).toEqual([]);
    await send({ reply: 'Hello.' }, 'A prompt of nobody’s business');
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
    const [key] = (await playgroundKeys()).filter(({ state }) => state === 'active');
    expect(key?.name).toBe(`Playground · ${svc.ready.owner_email}`);
    const lifetimeMs = Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '');
    expect(lifetimeMs).toBeGreaterThan(3_540_000);
    expect(lifetimeMs).toBeLessThanOrEqual(3_600_000);
    const remains = await remainsOf(page);
    expect(secrets).toHaveLength(1);
    for (const secret of await Promise.all(secrets)) {
      expect(remains).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
    }
    expect(remains).not.toContain('nobody’s business');
    await page.getByRole('navigation').getByRole('link', { name: 'Models' }).click();
    await allRevoked();
  });

  it('revokes the key of a tab that is closed', async () => {
    await open(`model=${testModel}&stream=false`);
    await send({});
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
    expect((await playgroundKeys()).filter(({ state }) => state === 'active')).toHaveLength(1);
    await page.close({ runBeforeUnload: true });
    await allRevoked();
  });

  it('is reached from a model, and from a call with the settings of that call alone', async () => {
    await page.goto(`${svc.baseUrl}/console/models/${PLAIN_MODEL}`);
    await page.getByRole('link', { name: 'Try in playground' }).click();
    const field = page.getByRole('combobox', { name: 'Model', exact: true });
    await field.waitFor();
    expect(await field.inputValue()).toBe(PLAIN_MODEL);
    await send({ reply: 'Hello.' });
    await page.getByRole('region', { name: 'curl' }).getByText(`"${PLAIN_MODEL}"`).waitFor();
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('link', { name: 'Open in playground' }).click();
    await page.waitForURL((url) => url.searchParams.get('model') === PLAIN_MODEL);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
  });

  it('tells a screen reader each sentence once it is whole', async () => {
    await open(`model=${testModel}`);
    await send({ reply: 'This is one. This is two, and it goes on for a while.', chunk_delay_ms: 500 });
    // The message itself has the words once. What is being written is seen, and not yet heard.
    const heard = async () => (await log().ariaSnapshot()).split('goes on for a while').length - 1;
    await log()
      .getByText(/^This is one\. This/)
      .waitFor();
    expect(await heard()).toBe(1);
    expect(await log().ariaSnapshot()).toMatch(/: "?This is one\./);
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
    expect(await heard()).toBe(2);
  });
});

/** Everything that outlives the page. */
const remainsOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`indexedDB.databases().then((databases) => JSON.stringify([
    databases, { ...localStorage }, { ...sessionStorage }, history.state, document.title, location.href]))`);
