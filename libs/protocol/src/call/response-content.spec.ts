import { type GatewayError } from '@svc/kernel';
import { encryptedContentOf } from '../translation/reasoning-item';
import { parseCall, type ParsedCall } from './parse-call';
import { upstreamBody } from './upstream-body';

const call = (body: object): ParsedCall =>
  parseCall('responses', Buffer.from(JSON.stringify({ model: 'a/b', input: 'Hi', ...body })));

/** Code and parameter of the refusal. */
function refusal(body: object): string[] {
  try {
    call(body);
    return [];
  } catch (thrown) {
    const { code, param = '' } = thrown as GatewayError;
    return [code, param];
  }
}

describe('a responses call', () => {
  it('may have every field of OpenAI’s request, null ones too', () => {
    const fields = {
      ...{ access_programs: {}, background: false, context_management: [], conversation: null, image: {} },
      ...{ include: [], instructions: 'Be brief.', max_output_tokens: 9, max_tool_calls: 1, metadata: {} },
      ...{ moderation: {}, parallel_tool_calls: true, previous_response_id: null, prompt: null },
      ...{ prompt_cache_key: 'k', prompt_cache_options: {}, prompt_cache_retention: '24h', reasoning: {} },
      ...{ safety_identifier: 's', service_tier: 'auto', store: false, stream: true, stream_options: {} },
      ...{ temperature: 1, text: {}, tool_choice: 'auto', tools: [], top_logprobs: 0, top_p: 1 },
      ...{ truncation: 'disabled', user: 'u-1', compat_mode: 'strict' },
    };
    expect(call(fields)).toMatchObject({
      operation: 'responses',
      stream: true,
      maxOutputTokens: 9,
      compatMode: 'strict',
      labels: { user: 'u-1' },
      needsRewriting: false,
    });
    expect(call({ metadata: { team: 'search' } }).labels).toEqual({
      user: null,
      metadata: { team: 'search' },
    });
    expect(refusal({ messages: [] })).toEqual(['unsupported_parameter', 'messages']);
    expect(refusal({ temperature: 'warm' })).toEqual(['invalid_request', 'temperature']);
  });

  it.each([
    ['no input', { input: undefined }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an item that is no object', { input: ['Hi'] }, 'input[0]'],
    ['a type that is no string', { input: [{ type: 7 }] }, 'input[0].type'],
    ['an unknown role', { input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
    ['no content', { input: [{ type: 'message', role: 'user' }] }, 'input[0].content'],
    [
      'a call without arguments',
      { input: [{ type: 'function_call', call_id: 'c', name: 'f' }] },
      'input[0].arguments',
    ],
    ['no output', { input: [{ type: 'function_call_output', call_id: 'c' }] }, 'input[0].output'],
  ])('with %s is refused', (_, body, param) => {
    expect(refusal(body)).toEqual(['invalid_request', param]);
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1', input: undefined }, 'previous_response_id'],
    ['conversation', { conversation: { id: 'conv_1' } }, 'conversation'],
    ['prompt', { prompt: { id: 'p' }, input: undefined }, 'prompt'],
    ['background', { background: true }, 'background'],
    ['an item reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
    ['an item reference without a type', { input: [{ id: 'msg_1' }] }, 'input[0]'],
    ['an item reference of no type', { input: [{ type: null, id: 'msg_1' }] }, 'input[0]'],
  ])('with %s is refused, because nothing is kept', (_, body, param) => {
    expect(refusal(body)).toEqual(['unsupported_parameter', param]);
  });

  it.each([
    [{ previous_response_id: 'resp_1' }, 'keeps no responses'],
    [{ prompt: { id: 'p' }, input: undefined }, 'cannot look up a stored prompt'],
    [{ background: true }, 'cannot answer in the background'],
  ])('with %j is told why', (body, why) => {
    expect(() => call(body)).toThrow(why);
  });

  it('needs rewriting for what no provider, or only some, can be sent', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
    const needs = (body: object): boolean => call(body).needsRewriting;
    expect(needs({ input: [{ ...reasoning, encrypted_content: 'gAAA' }] })).toBe(false);
    expect(needs({ tools: [{ type: 'function' }, { type: 'custom' }, { type: 'apply_patch' }] })).toBe(false);
    expect(needs({ tools: [{ type: 'shell', environment: { type: 'local' } }] })).toBe(false);
    expect(needs({ store: true })).toBe(true);
    expect(needs({ input: [reasoning] })).toBe(true);
    expect(needs({ input: [{ ...reasoning, encrypted_content: encryptedContentOf('reasoning') }] })).toBe(
      true,
    );
    for (const type of ['web_search', 'mcp', 'shell', 'a_new_one'])
      expect(needs({ tools: [{ type }] })).toBe(true);
  });

  it('has a prompt that its bytes bound, unless it has media or tools that the provider describes', () => {
    const bound = (body: object): number => call(body).promptTokensMax! - call(body).promptBytes;
    expect(bound({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] })).toBe(0);
    expect(bound({ tools: [{ type: 'function', name: 'f' }] })).toBe(1024);
    const image = { type: 'input_image', image_url: 'https://example.com/a.png' };
    for (const unbounded of [
      { input: [{ role: 'user', content: [image] }] },
      { input: [{ type: 'function_call_output', call_id: 'c', output: [image] }] },
      { input: [{ type: 'web_search_call', id: 'ws_1' }] },
      { tools: [{ type: 'web_search' }] },
      { tools: [{ type: 'computer' }] },
    ]) {
      expect(call(unbounded).promptTokensMax).toBeNull();
    }
  });
});

describe('a provider of responses', () => {
  const sent = (body: object, upstreamModel: string, maxOutputTokens: number | null = null): object =>
    JSON.parse(
      Buffer.concat(upstreamBody(call(body), { upstreamModel, maxOutputTokens })).toString(),
    ) as object;

  it('is told to store nothing, and gets the rest as it was written', () => {
    expect(sent({ metadata: { a: 'b' }, max_output_tokens: 50, compat_mode: 'strict' }, 'gpt-4.1')).toEqual({
      ...{ model: 'gpt-4.1', input: 'Hi', metadata: { a: 'b' }, max_output_tokens: 50, store: false },
    });
    expect(sent({ max_output_tokens: 50 }, 'gpt-4.1', 20)).toMatchObject({ max_output_tokens: 20 });
    expect(sent({}, 'gpt-4.1', 20)).toMatchObject({ max_output_tokens: 20 });
  });

  it('is asked for encrypted reasoning where it reasons and the caller left `store` out', () => {
    const encrypted = 'reasoning.encrypted_content';
    for (const model of ['gpt-5-mini', 'gpt-6-astra', 'o4-mini', 'openai/gpt-5.6-sol']) {
      expect(sent({}, model)).toMatchObject({ include: [encrypted], store: false });
    }
    const logprobs = 'message.output_text.logprobs';
    expect(sent({ include: [logprobs] }, 'gpt-6')).toMatchObject({ include: [logprobs, encrypted] });
    expect(sent({ include: [encrypted] }, 'gpt-6')).toMatchObject({ include: [encrypted] });
    for (const [body, model] of [
      [{ store: false }, 'gpt-6'],
      [{}, 'gpt-4.1'],
      [{}, 'gpt-5-chat-latest'],
      [{}, 'llama-4'],
    ] as const) {
      expect(sent(body, model)).not.toHaveProperty('include');
    }
  });
});
