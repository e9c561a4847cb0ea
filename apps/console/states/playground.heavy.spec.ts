import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import {
  consoles,
  describePages,
  problemsOfLook,
  type StubbedConsole,
  type StubbedOptions,
} from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const HOSTILE = '<img src=x onerror="globalThis.ran=1"> javascript:globalThis.ran=1 \u202egpj.exe';
const REQUEST_ID = 'req_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission =
  'Your role, Viewer, cannot create a playground key. Owners, security admins, and developers can.';

interface Model {
  readonly id: string;
  readonly endpoints: readonly object[];
}
const [shut] = (documentedExample('GET', `${BELOW}/catalog/models`)?.body as { data: [Model] }).data;
const callable = { eligible: true, reasons: [] };
const model = {
  ...shut,
  ...callable,
  endpoints: shut.endpoints.map((endpoint) => ({ ...endpoint, ...callable })),
};
// A header cannot hold the example, which is cut short by an ellipsis.
const SECRET = 'svc_sk_playground';
const minted = { body: { ...(documentedExample('POST', `${BELOW}/keys`)?.body as object), key: SECRET } };
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const svc = {
  provider: 'acme',
  attempts: [{ provider: 'acme', region: 'eu', status: 200, duration_ms: 812 }],
  cost: { customer_nanos: 3000, state: 'final' },
};
const answered = (content: string, more = {}) => ({
  headers: { 'x-request-id': REQUEST_ID },
  body: { choices: [{ index: 0, message: { role: 'assistant', content } }], svc, ...more },
});
const streamed = (...frames: readonly (object | string)[]) => ({
  headers: { 'content-type': 'text/event-stream', 'x-request-id': REQUEST_ID },
  body: frames
    .map((frame) => (typeof frame === 'string' ? frame : `data: ${JSON.stringify(frame)}`) + '\n\n')
    .join(''),
});
const written = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const refused = (status: number, code: string, message: string, more = {}) => ({
  status,
  body: { error: { code, message, retriable: false, request_id: REQUEST_ID, ...more } },
});

describePages('the playground', () => {
  describeStates({
    path: '/playground',
    reads: 'GET /catalog/models',
    heading: 'Playground',
    shown: (page) => page.getByRole('combobox', { name: 'Model', exact: true }).waitFor(),
    noPermission,
    answers: { 'GET /catalog/models': listOf([model]) },
    overlays: [(page) => page.getByRole('combobox', { name: 'Project' }).click()],
  });
});

describePages('a call of the playground', () => {
  const openConsole = consoles();
  let opened: StubbedConsole | undefined;
  async function open(
    answer: NonNullable<StubbedOptions['answers']>[string],
    options: StubbedOptions = {},
  ): Promise<StubbedConsole> {
    opened = await openConsole({
      path: '/playground',
      ...options,
      answers: {
        'GET /catalog/models': listOf([model]),
        'POST /keys': minted,
        'POST /v1/chat/completions': answer,
        ...options.answers,
      },
    });
    return opened;
  }
  async function send(words = 'Hello'): Promise<void> {
    const page = opened!.page;
    await page.getByRole('textbox', { name: 'Message' }).fill(words);
    await page.getByRole('button', { name: 'Send' }).click();
  }

  it('says before the first that it is real, who is charged, and what is available', async () => {
    const { page } = await open(answered('Hello!'));
    await page.getByText(/^Calls are real and are charged to .+\. Available: \$1\.50\.$/).waitFor();
  });

  it('is made with a key of the hour, which nothing but /v1 is sent, and which no page shows', async () => {
    const { page, calls } = await open(answered('Hello!'), { path: '/playground?stream=false' });
    await send();
    await page.getByRole('log').getByText('Hello!').waitFor();
    const [minting] = calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/keys'));
    const sent = JSON.parse(minting?.body ?? '') as Record<string, unknown>;
    expect(sent).toMatchObject({
      name: expect.stringMatching(/^Playground · .+@.+/) as unknown,
      scopes: ['inference:invoke'],
      purpose: 'playground',
      project_id: null,
    });
    expect(Date.parse(String(sent['expires_at'])) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const withKey = calls.filter(({ headers }) => JSON.stringify(headers).includes(SECRET));
    expect(withKey.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    expect(withKey[0]?.headers).not.toHaveProperty('cookie');
    expect(await page.content()).not.toContain(SECRET);
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'DELETE'),
      page.getByRole('link', { name: 'Keys', exact: true }).click(),
    ]);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('shows what a model wrote as text', async () => {
    const { page } = await open(
      streamed(
        written(`${HOSTILE}. `),
        ': keep-alive',
        written('Run this:\n```js\nalert(1)\n```\nDone'),
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], svc, warnings: [warning] },
        'data: [DONE]',
      ),
    );
    await send(HOSTILE);
    const log = page.getByRole('log', { name: `Conversation with ${model.id}` });
    await log.getByText('⟨U+202E⟩gpj.exe').first().waitFor();
    await log.getByText('alert(1)', { exact: true }).waitFor();
    await log.getByText(HOSTILE.replace('\u202e', '⟨U+202E⟩')).last().waitFor();
    await page.getByText('1 warning').waitFor();
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
    await page.getByRole('link', { name: 'Open the request' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate<unknown>('globalThis.ran ?? null')).toBeNull();
    expect(new URL(page.url()).search).not.toContain('img');
    expect(await problemsOfLook(page)).toEqual([]);
  });
  const warning = { param: 'seed', code: 'unsupported_parameter', message: `It was omitted. ${HOSTILE}` };

  it.each([
    [402, 'insufficient_funds', 'The wallet is empty'],
    [422, 'capability_unsupported', 'No eligible endpoint supports it.'],
    [429, 'rate_limit', 'The limit is used up. Retry in 1 s.'],
  ])('refused with %i says why, by its code and request id', async (status, code, message) => {
    const gone = refused(404, 'not_found', 'No such request.');
    const { page } = await open(refused(status, code, message), {
      answers: { 'GET /requests/req_06dpm2q4x8k3c0v9r7t5w1hzny': gone },
    });
    await send();
    const alert = page.getByRole('alert');
    await alert.getByText(message).waitFor();
    await alert.getByText(code, { exact: true }).waitFor();
    await alert.getByText(REQUEST_ID).waitFor();
    await page.getByText('No request recorded. Nothing was charged.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('that names a parameter says so at its field', async () => {
    const { page } = await open(
      refused(400, 'invalid_request', 'temperature: too hot.', { param: 'temperature' }),
    );
    await send();
    await page.getByText('Parameters', { exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Temperature' });
    await field.and(page.locator('[aria-invalid="true"]')).waitFor();
  });

  it('whose stream is cut keeps what came, and says that it was cut', async () => {
    const { page } = await open(streamed(written('Half of an ans')));
    await send();
    await page.getByRole('alert').getByText('The response was cut off.').waitFor();
    await page.getByRole('log').getByText('Half of an ans').waitFor();
  });

  it('whose stream ends in an error shows that error', async () => {
    const error = {
      code: 'provider_error',
      message: 'The provider failed.',
      retriable: true,
      request_id: REQUEST_ID,
    };
    const { page } = await open(streamed(written('Half'), { error }));
    await send();
    await page.getByRole('alert').getByText('The provider failed.').waitFor();
    await page.getByRole('alert').getByText('provider_error').waitFor();
  });

  it('whose key was revoked gets another one, once', async () => {
    let isRefused = true;
    const { page, calls } = await open(
      () => {
        const answer = isRefused ? refused(401, 'invalid_api_key', 'No.') : answered('Hello!');
        isRefused = false;
        return answer;
      },
      { path: '/playground?stream=false' },
    );
    await send();
    await page.getByRole('log').getByText('Hello!').waitFor();
    expect(calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/keys'))).toHaveLength(2);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  it('asks three models side by side, and has their code', async () => {
    const names = ['acme/one', 'acme/two', 'acme/three'];
    const list = names.map((id) => ({ ...model, id }));
    const { page, calls } = await open(
      ({ body }) => answered(`I am ${(JSON.parse(body ?? '') as { model: string }).model}.`),
      {
        path: `/playground?stream=false&model=${names.join(',')}`,
        answers: { 'GET /catalog/models': listOf(list) },
      },
    );
    await send();
    for (const name of names)
      await page
        .getByRole('log', { name: `Conversation with ${name}` })
        .getByText(`I am ${name}.`)
        .waitFor();
    await page.getByRole('radio', { name: 'acme/two' }).check();
    await page.getByRole('region', { name: 'curl' }).getByText('"acme/two"').waitFor();
    await page.getByRole('region', { name: 'curl' }).getByText('YOUR_API_KEY').waitFor();
    expect(calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/keys'))).toHaveLength(1);
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('lists a model that cannot be called with the reason', async () => {
    const message = `Denied by policy version 7. ${HOSTILE}`;
    const denied = {
      ...shut,
      id: 'acme/shut',
      reasons: [{ constraint: 'model', field: 'denied_models', message }],
    };
    const { page } = await open(answered(''), {
      answers: { 'GET /catalog/models': listOf([model, denied]) },
    });
    await page.getByRole('button', { name: 'Show choices of Model' }).click();
    const option = page.getByRole('option', { name: /acme\/shut/, disabled: true });
    await option.getByText(/Denied by policy version 7/).waitFor();
  });

  it('is offered to nobody while no model can be called', async () => {
    const { page } = await open(answered(''), { answers: { 'GET /catalog/models': listOf([shut]) } });
    await page.getByText('No model can be called').waitFor();
    await send();
    await page.getByText('Fix the marked settings.').waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('of a viewer is made with a pasted key, which only /v1 is sent', async () => {
    const PASTED = 'svc_sk_pasted';
    const { page, calls } = await open(answered('Hello!'), {
      path: '/playground?stream=false',
      role: 'viewer',
      permissions: ['catalog:read', 'usage:read'],
    });
    await page.getByText(noPermission).waitFor();
    await page.getByLabel('API key').fill(PASTED);
    await send();
    await page.getByRole('log').getByText('Hello!').waitFor();
    const withKey = calls.filter((call) => JSON.stringify(call).includes(PASTED));
    expect(withKey.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
      PASTED,
    );
  });

  it('names the models that a pasted key can call to a role without the catalog', async () => {
    const models = { body: { object: 'list', data: [{ id: 'acme/mine', display_name: 'Mine' }] } };
    const { page } = await open(answered('Hello!'), {
      path: '/playground?stream=false',
      role: 'finance',
      permissions: ['usage:read'],
      answers: { 'GET /v1/models': models },
    });
    await page.getByLabel('API key').fill('svc_sk_pasted');
    const field = page.getByRole('combobox', { name: 'Model', exact: true });
    await field.waitFor();
    expect(await field.inputValue()).toBe('acme/mine');
    await send();
    await page.getByRole('log', { name: 'Conversation with acme/mine' }).getByText('Hello!').waitFor();
  });
});
