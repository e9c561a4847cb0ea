import { type GatewayError } from '@svc/kernel';
import { type MessageCreateParams as BetaMessageCreateParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { type MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages';
import { type ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { encodeUtf8 } from '../json/byte-text';
import { NO_ANTHROPIC_HEADERS } from './anthropic-headers';
import { type Operation } from './operation';
import { parseCall, type ParsedCall } from './parse-call';

const user = { role: 'user', content: 'Hello' };
const chat = (fields: object): ParsedCall =>
  parseCall(
    'chat_completions',
    encodeUtf8(JSON.stringify({ model: 'acme/small', messages: [user], ...fields })),
  );
const messages = (fields: object): ParsedCall =>
  parseCall(
    'messages',
    encodeUtf8(JSON.stringify({ model: 'acme/small', messages: [user], max_tokens: 9, ...fields })),
  );
const refusal = (call: () => unknown): { reason: string; param: string | undefined; message: string } => {
  try {
    call();
  } catch (thrown) {
    const { reason, param, message } = thrown as GatewayError;
    return { reason, param, message };
  }
  throw new Error('was not refused');
};
const refusalOf = (body: string | Uint8Array, operation: Operation = 'chat_completions') =>
  refusal(() => parseCall(operation, typeof body === 'string' ? encodeUtf8(body) : body));

describe('the form of a body', () => {
  it.each([
    ['an empty body', '', 'The body is empty; a JSON object was expected.'],
    ['what is not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'The body is not valid UTF-8.'],
    ['an array', '[]', 'The body must be a JSON object.'],
    ['null', 'null', 'The body must be a JSON object.'],
    ['a body that ends too early', '{"model":', 'The body is not valid JSON: it ends too early.'],
    ['a missing comma', '{"model":"a"\n "b"', 'The body is not valid JSON: line 2 column 2.'],
    ['a value that is no JSON', '{"secret":secret}', 'The body is not valid JSON.'],
  ])('refuses %s', (_, body, message) => {
    expect(refusalOf(body)).toEqual({ reason: 'invalidRequest', param: undefined, message });
  });

  it('is never quoted in the error, whatever is wrong with it', () => {
    for (const body of [
      'secret',
      '{secret',
      '{"a":secret}',
      '["secret" secret]',
      '{"secret":"\u0001"}',
      '"secret\\q"',
    ]) {
      expect(refusalOf(body).message).not.toContain('secret');
    }
  });

  it('refuses repeated keys, however they are escaped, and names them', () => {
    const body = '{"model":"a/b","messages":[],"mod\\u0065l":"c/d"}';
    expect(refusalOf(body)).toMatchObject({ reason: 'invalidRequest', param: 'model' });
  });
});

describe('the fields of a route', () => {
  it.each([
    'callback_url',
    'previous_job_id',
    'voice',
    'provider',
    'providers',
    'route',
    'models',
    'account_id',
    'organization',
    'api_key',
    'svc',
    '__proto__',
    'constructor',
    'toString',
    'Model',
    '',
  ])('do not include "%s" on either route', (field) => {
    for (const operation of ['chat_completions', 'messages'] as const) {
      const body = `{"model":"a/b","messages":[],${JSON.stringify(field)}:1}`;
      expect(refusalOf(body, operation)).toMatchObject({ reason: 'unsupportedParameter', param: field });
    }
  });

  it('are named in a bounded length', () => {
    const { param, message } = refusalOf(`{"${'x'.repeat(10_000)}":1}`);
    expect(param).toHaveLength(100);
    expect(message.length).toBeLessThan(200);
  });

  // The types of both records are complete: a field that a newer SDK adds fails the type check.
  it('are all those of OpenAI’s SDK', () => {
    const fields = {
      audio: {},
      frequency_penalty: 0.5,
      function_call: 'auto',
      functions: [],
      logit_bias: { 50256: -100 },
      logprobs: true,
      max_completion_tokens: 5,
      max_tokens: 5,
      messages: [user],
      metadata: {},
      modalities: ['text'],
      model: 'acme/small',
      moderation: {},
      n: 1,
      parallel_tool_calls: true,
      prediction: {},
      presence_penalty: 0,
      prompt_cache_key: 'k',
      prompt_cache_options: {},
      prompt_cache_retention: '24h',
      reasoning_effort: 'low',
      response_format: { type: 'text' },
      safety_identifier: 's',
      seed: -1,
      service_tier: 'auto',
      stop: ['a'],
      store: false,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 1,
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      user: 'u',
      verbosity: 'low',
      web_search_options: {},
    } satisfies Record<keyof ChatCompletionCreateParams, unknown>;
    expect(chat({ ...fields, max_output_tokens: 5, compat_mode: 'strict' })).toMatchObject({
      compatMode: 'strict',
    });
    const optional = Object.keys(fields).filter((field) => field !== 'model' && field !== 'messages');
    expect(() => chat(Object.fromEntries(optional.map((field) => [field, null])))).not.toThrow();
  });

  it('are all those of Anthropic’s SDK and its earlier versions, except provider routing and accounts', () => {
    const fields = {
      cache_control: {},
      compaction: {},
      container: 'c',
      context_management: {},
      diagnostics: {},
      inference_geo: 'eu',
      max_tokens: 5,
      mcp_servers: [],
      messages: [user],
      metadata: {},
      model: 'acme/small',
      output_config: {},
      output_format: {},
      service_tier: 'auto',
      speed: 'fast',
      stop_sequences: [],
      stream: true,
      system: 'Be brief',
      thinking: { type: 'adaptive' },
      tool_choice: { type: 'auto' },
      tools: [],
    };
    const refused = {
      billing_policy: {},
      fallback_credit_token: 't',
      fallbacks: [],
      thread: {},
      // These three are headers on the wire.
      betas: [],
      user_profile_id: 'u',
      workspace_id: 'w',
    };
    ({ ...fields, ...refused }) satisfies Record<
      keyof MessageCreateParams | keyof BetaMessageCreateParams,
      unknown
    >;
    expect(() =>
      messages({ ...fields, temperature: 1, top_p: 1, top_k: 5, max_output_tokens: 5 }),
    ).not.toThrow();
    for (const [field, value] of Object.entries(refused)) {
      expect(refusal(() => messages({ [field]: value }))).toMatchObject({
        reason: 'unsupportedParameter',
        param: field,
      });
    }
  });
});

describe('the types of fields', () => {
  it.each([
    ['model', { model: 7 }],
    ['model', { model: '' }],
    ['model', { model: null }],
    ['messages', { messages: 'Hello' }],
    ['messages', { messages: [] }],
    ['messages', { messages: undefined }],
    ['messages[1]', { messages: [user, 'Hello'] }],
    ['messages[1].role', { messages: [user, { role: 'robot', content: 'x' }] }],
    ['messages[0].role', { messages: [{ content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['messages[0].content', { messages: [{ role: 'assistant', content: 3 }] }],
    ['stream', { stream: 'true' }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['max_completion_tokens', { max_completion_tokens: '5' }],
    ['max_output_tokens', { max_output_tokens: -1 }],
    ['max_output_tokens', { max_output_tokens: 1e30 }],
    ['n', { n: 0 }],
    ['stop', { stop: [1] }],
    ['tools', { tools: {} }],
    ['stream_options', { stream_options: true }],
    ['stream_options.include_usage', { stream_options: { include_usage: 1 } }],
    ['compat_mode', { compat_mode: 'loose' }],
  ])('of chat completions are told by the path %s', (param, fields) => {
    expect(refusal(() => chat(fields))).toMatchObject({ reason: 'invalidRequest', param });
  });

  it.each([
    ['max_tokens', { max_tokens: undefined }],
    ['max_tokens', { max_tokens: null }],
    ['max_tokens', { max_tokens: -1 }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'assistant', content: null }] }],
    ['system', { system: {} }],
  ])('of messages are told by the path %s', (param, fields) => {
    expect(refusal(() => messages(fields))).toMatchObject({ reason: 'invalidRequest', param });
  });

  it('allow what each API allows', () => {
    const turns = [
      { role: 'developer', content: 'x' },
      { role: 'assistant', tool_calls: [] },
      { role: 'assistant', content: null },
      { role: 'tool', content: [], tool_call_id: 'c' },
      { role: 'function', content: null, name: 'f' },
    ];
    expect(() => chat({ messages: turns })).not.toThrow();
    expect(() => messages({ messages: [user, { role: 'system', content: 'x' }] })).not.toThrow();
    expect(messages({ max_tokens: 0 }).maxOutputTokens).toBe(0);
    expect(messages({ max_tokens: undefined, max_output_tokens: 3 }).maxOutputTokens).toBe(3);
  });
});

describe('the reported one of several faults', () => {
  it.each([
    ['a foreign field before a wrong type', '{"stream":1,"voice":"x"}', 'voice'],
    ['a repeated field before a wrong type', '{"stream":1,"n":0,"n":1}', 'n'],
    ['a foreign field before a missing one', '{"model":"a/b","voice":"x"}', 'voice'],
    ['a missing field before a wrong type', '{"stream":1,"model":"a/b"}', 'messages'],
    ['a field’s wrong type before a message’s', '{"messages":[7],"model":"a/b","stream":1}', 'stream'],
    ['the first of two wrong types', '{"stream":1,"n":0,"model":"a/b","messages":[7]}', 'stream'],
  ])('is %s', (_, body, param) => {
    expect(refusalOf(body).param).toBe(param);
  });
});

describe('a body to count', () => {
  const counted = (fields: object): ParsedCall =>
    parseCall(
      'count_tokens',
      encodeUtf8(JSON.stringify({ model: 'acme/small', messages: [user], ...fields })),
    );

  it('is a messages call without an output limit', () => {
    const call = counted({ system: 'Be brief', tools: [] });
    expect(call).toMatchObject({ operation: 'messages', model: 'acme/small', maxOutputTokens: null });
  });

  it.each(['max_tokens', 'max_output_tokens', 'callback_url'])('has no field %s', (param) => {
    expect(refusal(() => counted({ [param]: 5 }))).toMatchObject({ reason: 'unsupportedParameter', param });
  });

  it.each([
    ['model', { model: undefined }],
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['system', { system: 7 }],
  ])('has the types of messages: %s', (param, fields) => {
    expect(refusal(() => counted(fields))).toMatchObject({ reason: 'invalidRequest', param });
  });
});

describe('a parsed call', () => {
  it('has defaults for absent fields', () => {
    const call = chat({ n: null, stream: null, stream_options: null });
    expect(call).toMatchObject({
      operation: 'chat_completions',
      model: 'acme/small',
      stream: false,
      maxOutputTokens: null,
      choices: 1,
      compatMode: 'permissive',
      usageRequested: false,
      promptBytes: call.bodyBytes.length,
    });
  });

  it('reads the output limit under any of its names', () => {
    expect(chat({ max_tokens: 1 }).maxOutputTokens).toBe(1);
    expect(chat({ max_completion_tokens: 2, max_tokens: null }).maxOutputTokens).toBe(2);
    expect(chat({ max_output_tokens: 3, max_tokens: 3 }).maxOutputTokens).toBe(3);
  });

  it('refuses two names of the limit that contradict each other', () => {
    expect(refusal(() => chat({ max_output_tokens: 3, max_tokens: 4 }))).toMatchObject({
      reason: 'invalidRequest',
      param: 'max_tokens',
    });
  });
});

describe('an extra parameter', () => {
  const context = { anthropic: NO_ANTHROPIC_HEADERS, extraParameters: new Set(['min_p', 'top_k']) };
  const parse = (operation: Operation, fields: string) =>
    parseCall(
      operation,
      encodeUtf8(`{"model":"a/b","messages":[{"role":"user","content":"Hi"}],"max_tokens":9${fields}}`),
      context,
    );

  it('is taken with any value where the catalog knows its name', () => {
    const call = parse('chat_completions', ',"min_p":{"any":[1]},"top_k":null');
    expect(call.extraParameters).toEqual(['min_p', 'top_k']);
    expect(call.body).toMatchObject({ min_p: { any: [1] }, top_k: null });
  });

  it('is none where the route knows the name: it is checked as its own', () => {
    expect(parse('messages', ',"top_k":1').extraParameters).toEqual([]);
    expect(refusal(() => parse('messages', ',"top_k":"one"'))).toMatchObject({ param: 'top_k' });
  });

  it('that is given twice, or that nobody lists, is refused', () => {
    expect(refusal(() => parse('messages', ',"min_p":1,"min_p":2'))).toMatchObject({
      reason: 'invalidRequest',
      param: 'min_p',
    });
    expect(refusal(() => parse('messages', ',"min_q":1'))).toMatchObject({
      reason: 'unsupportedParameter',
      param: 'min_q',
    });
  });
});

describe('what a body asks for at another price', () => {
  const advisor = (...models: string[]) => ({ name: 'advisor', models });
  const fast = { name: 'fast_mode' };
  it.each([
    [{}, []],
    [{ speed: 'fast' }, [fast]],
    [{ speed: 'standard' }, []],
    [{ tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-x' }] }, [advisor('claude-x')]],
    [{ tools: [{ name: 'advisor_of_mine', input_schema: {} }, null] }, []],
    [{ speed: 'fast', tools: [{ type: 'advisor_20260301' }] }, [fast, advisor('')]],
    [
      {
        tools: [
          { type: 'advisor_20260301', model: 'claude-x' },
          { name: 'own', model: 'claude-y', input_schema: {} },
          { type: 'advisor_20260301', model: 'claude-z' },
        ],
      },
      [advisor('claude-x', 'claude-z')],
    ],
  ])('%j: %j', (fields, features) => {
    expect(messages(fields).pricedFeatures).toEqual(features);
  });
});
