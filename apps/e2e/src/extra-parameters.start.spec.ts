import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedUpstream } from '@svc/testing';
import { type CatalogDocument } from './harness/catalog-file';
import { anthropicClient, openAiClient, post, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { runUntilExit } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const EXTRA = { min_p: 0.05, top_k: 20, chat_template_kwargs: { enable_thinking: false } };
const messages = [{ role: 'user' as const, content: 'Hello' }];

function catalogAt(url: string, extraParameters: readonly string[] = Object.keys(EXTRA)): CatalogDocument {
  const endpoint = (model: string): CatalogDocument['endpoints'][number] => ({
    model,
    provider: 'vllm',
    upstream_model: model,
    region: 'local',
    data_retention: 'zero',
    prices: { input: 1, output: 2 },
  });
  return {
    providers: [{ name: 'vllm', protocol: 'openai', base_url: `${url}/v1` }],
    models: ['test/open', 'test/plain'].map((id) => ({
      id,
      display_name: id,
      context_window: 1_000_000,
      max_output_tokens: 4096,
    })),
    endpoints: [{ ...endpoint('test/open'), extra_parameters: extraParameters }, endpoint('test/plain')],
  };
}

let folder: string;
let upstream: ScriptedUpstream;
let svc: SharedSvc;
beforeAll(async () => {
  folder = await temporaryFolder();
  upstream = await ScriptedUpstream.start();
  svc = await sharedSvc({ catalog: () => catalogAt(upstream.url) });
});
afterAll(async () => {
  await upstream.close();
  await removeFolder(folder);
});
beforeEach(() => {
  upstream.next((_, response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
    const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});

const sent = () => JSON.parse(upstream.received.at(-1)!.body.toString()) as Record<string, unknown>;
const chat = (body: object, headers: Record<string, string> = {}) =>
  post(svc, '/v1/chat/completions', { model: 'test/open', messages, ...body }, { headers });
const warned = (answer: unknown) =>
  (answer as { warnings?: { param: string; code: string }[] }).warnings?.map(({ param, code }) => [
    param,
    code,
  ]);
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, param: error.param };
};

describe('an extra parameter', () => {
  it('of the OpenAI client reaches an endpoint that lists it, as it is', async () => {
    const asked = { model: 'test/open', messages, ...EXTRA };
    const answer = await openAiClient(svc).chat.completions.create(asked);
    expect(warned(answer)).toBeUndefined();
    expect(sent()).toMatchObject(EXTRA);
  });

  it('of the Anthropic client reaches it too, through translation', async () => {
    const { min_p, top_k } = EXTRA;
    const asked = { model: 'test/open', max_tokens: 50, messages, min_p, top_k };
    const answer = await anthropicClient(svc).messages.create(asked);
    expect(warned(answer)).toBeUndefined();
    expect(sent()).toMatchObject({ min_p, top_k, max_completion_tokens: 50 });
  });

  it('of a large body reaches it too', async () => {
    const large = [{ role: 'user', content: 'x'.repeat(300_000) }];
    expect((await chat({ messages: large, ...EXTRA })).status).toBe(200);
    expect(sent()).toMatchObject(EXTRA);
  });

  it.each([
    ['small', 'Hello'],
    ['large', 'x'.repeat(300_000)],
  ])('of a %s body is left out with a warning where the endpoint does not list it', async (_, content) => {
    const response = await chat({ model: 'test/plain', min_p: 0.05, messages: [{ role: 'user', content }] });
    expect(warned(await response.json())).toEqual([['min_p', 'unsupported_parameter']]);
    expect(sent()).not.toHaveProperty('min_p');
  });

  it('that is null counts as left out', async () => {
    const answer = await (await chat({ model: 'test/plain', min_p: null, compat_mode: 'strict' })).json();
    expect(warned(answer)).toBeUndefined();
    expect(sent()).not.toHaveProperty('min_p');
  });

  it('rules the endpoint out in strict mode', async () => {
    expect(await refusal(await chat({ model: 'test/plain', min_p: 0.05, compat_mode: 'strict' }))).toEqual({
      status: 422,
      code: 'capability_unsupported',
      param: 'min_p',
    });
    expect((await chat({ min_p: 0.05, compat_mode: 'strict' })).status).toBe(200);
  });

  it('that no endpoint lists is 400, and so are fields that choose a provider or an account', async () => {
    for (const param of ['min_q', 'fallbacks', 'provider', 'thread', 'api_key', 'extra_body']) {
      expect(await refusal(await chat({ [param]: 1 }))).toEqual({
        status: 400,
        code: 'unsupported_parameter',
        param,
      });
    }
  });

  it('is part of the body that an idempotency key stands for', async () => {
    const headers = { 'idempotency-key': 'extra-1' };
    expect((await chat({ min_p: 0.05 }, headers)).status).toBe(200);
    expect((await chat({ min_p: 0.05 }, headers)).headers.get('idempotency-replayed')).toBe('true');
    expect(await refusal(await chat({ min_p: 0.06 }, headers))).toMatchObject({ status: 409 });
  });

  it('is shown with its endpoint in the catalog', async () => {
    const headers = { authorization: `Bearer ${svc.apiKey}` };
    const shown = async (id: string) =>
      (await fetch(`${svc.baseUrl}/api/v1/catalog/models/${encodeURIComponent(id)}`, { headers })).json();
    expect(await shown('test/open')).toMatchObject({ endpoints: [{ extra_parameters: Object.keys(EXTRA) }] });
    expect(await shown('test/plain')).toMatchObject({ endpoints: [{ extra_parameters: [] }] });
  });
});

it('a catalog that lists a field of the service, of routing or of billing is refused with file and field', async () => {
  const file = join(folder, 'refused.json');
  await writeFile(
    file,
    JSON.stringify(catalogAt(upstream.url, ['min_p', 'model', 'fallbacks', 'billing_policy'])),
  );
  const { code, output } = await runUntilExit({ SVC_CATALOG_FILE: file });
  expect(code).not.toBe(0);
  for (const at of [1, 2, 3]) {
    const place = `${file}:1: endpoints[0].extra_parameters[${String(at)}]`;
    expect(output).toContain(`${place}: is a field that no endpoint may take as its own`);
  }
});
