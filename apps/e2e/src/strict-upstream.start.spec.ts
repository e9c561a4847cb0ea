import { post, type ErrorBody } from './harness/clients';
import { modelOf, startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { hello, schema } from './matrix/strict/cases';
import { describeEveryCase } from './matrix/strict/every-case';
import { simulatorUpstream } from './matrix/upstreams';

/** A fault that is left to the vendor to refuse. */
const blankName = { type: 'function', function: { name: 'get weather', parameters: schema } };
const refused = [
  ['many stops', 'openai', { stop: ['a', 'b', 'c', 'd', 'e'] }, /'stop': array too long/],
  [
    'an assistant first',
    'anthropic',
    { messages: [{ role: 'assistant', content: 'Hi' }, hello] },
    /first message/,
  ],
  ['a name with a blank', 'google', { tools: [blankName] }, /Invalid function name/],
  ['much heat', 'mistral', { temperature: 1.8 }, /temperature: Input should be less than or equal to 1\.5/],
  ['much heat', 'groq', { temperature: 2.5 }, /temperature must be at most 2/],
  ['much heat', 'deepseek', { temperature: 2.5 }, /temperature must be at most 2/],
  ['many stops', 'moonshotai', { stop: ['a', 'b', 'c', 'd', 'e', 'f'] }, /stop must be at most 5/],
  ['much heat', 'xai', { temperature: 2.5 }, /temperature must be at most 2/],
] as const;

describe('an upstream that is as strict as its vendor', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    world = await startMatrixWorld([simulatorUpstream]);
  });
  afterAll(() => world.stop());

  // The compatible ones: strict-upstream.heavy.spec.ts.
  describeEveryCase(
    [
      ['openai', 'openai'],
      ['anthropic', 'anthropic'],
    ],
    () => world,
  );

  it.each([
    ['openai', { dimensions: 64, user: 'u-1', encoding_format: 'base64' }],
    ['mistral', { dimensions: 64, user: 'u-1', encoding_format: 'base64' }],
    ['mistral', { input: ['Basel', 'Köln'] }],
  ] as const)('on /v1/embeddings with the rules of %s takes %j', async (vendor, fields) => {
    const { recorder, svc } = world;
    recorder.refusals.length = 0;
    const model = modelOf(simulatorUpstream, 'embeddings', vendor);
    const answer = await post(svc, '/v1/embeddings', { model, input: 'Hello', ...fields });
    expect(recorder.refusals).toEqual([]);
    expect(answer.status).toBe(200);
  });

  it.each(refused)('refuses a chat call with %s in the words of %s', async (_, vendor, fields, message) => {
    const protocol = vendor === 'anthropic' ? vendor : 'openai';
    const body = { model: modelOf(simulatorUpstream, protocol, vendor), messages: [hello], ...fields };
    const answer = await post(world.svc, '/v1/chat/completions', body);
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as ErrorBody;
    const code = vendor === 'mistral' ? 'provider_http_422' : 'provider_http_400';
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ['openai', 0],
    ['anthropic', 1],
  ] as const)('gets a beta field with its header only (%s)', async (protocol, sentTimes) => {
    const { recorder, svc } = world;
    recorder.refusals.length = 0;
    recorder.received.length = 0;
    const model = modelOf(simulatorUpstream, protocol);
    const edits = [{ type: 'clear_tool_uses_20250919' }];
    const body = { model, max_tokens: 50, messages: [hello], context_management: { edits } };
    const headers = { 'anthropic-beta': 'context-management-2025-06-27', 'anthropic-version': '2023-06-01' };
    expect((await post(svc, '/v1/messages', body, { headers })).status).toBe(200);
    expect(recorder.refusals).toEqual([]);
    const sent = recorder.received.filter(
      (call) => call.headers['anthropic-beta'] && call.body.context_management,
    );
    expect(sent).toHaveLength(sentTimes);
  });

  it('is never shown a key or a header of Svc', async () => {
    const body = { model: modelOf(simulatorUpstream, 'openai'), messages: [hello] };
    const headers = { 'Svc-Session-Id': 's-1', 'Idempotency-Key': crypto.randomUUID() };
    expect((await post(world.svc, '/v1/chat/completions', body, { headers })).status).toBe(200);
    const sent = JSON.stringify(world.recorder.received.at(-1)?.headers).toLowerCase();
    expect(sent).toContain('sk-of-the-recorder');
    for (const own of ['svc-session-id', 'idempotency-key', world.svc.apiKey.toLowerCase()])
      expect(sent).not.toContain(own);
  });
});
