import { NO_ANTHROPIC_HEADERS, parseCall, type Operation, type ParsedCall } from '@svc/protocol';

import { type ModelEndpoint } from '../catalog/catalog';
import { routingCallOf, unsupportedBy, warningsOf } from './parameters';

const EXTRA = { anthropic: NO_ANTHROPIC_HEADERS, extraParameters: new Set(['min_p', 'top_k']) };
const parsed = (operation: Operation, fields: object) =>
  parseCall(
    operation,
    Buffer.from(JSON.stringify({ model: 'a/b', messages: [{ role: 'user', content: 'Hi' }], ...fields })),
    EXTRA,
  );
const usedParameters = (call: ParsedCall) => routingCallOf(call, () => []).parameters;
const endpoint = (
  protocol: 'openai' | 'anthropic',
  parameters: readonly string[] | null,
  extraParameters: readonly string[] = [],
) =>
  ({
    provider: { protocol },
    parameters: parameters && new Set(parameters),
    extraParameters: new Set(extraParameters),
  }) as unknown as ModelEndpoint;

describe('the parameters that a call uses', () => {
  it('are its optional ones, in the caller’s spelling', () => {
    const call = parsed('chat_completions', {
      top_p: 1,
      stream: true,
      stream_options: { include_usage: true },
      seed: 0,
      max_output_tokens: 5,
      max_completion_tokens: 5,
      compat_mode: 'strict',
    });
    expect(usedParameters(call)).toEqual(['top_p', 'seed']);
    expect(usedParameters(parsed('messages', { max_tokens: 5, system: 'Be brief.', top_k: 1 }))).toEqual([
      'top_k',
    ]);
  });

  it('exclude null ones', () => {
    expect(usedParameters(parsed('chat_completions', { seed: null, n: 1 }))).toEqual(['n']);
  });

  it('include those too large to copy from the parsing thread', () => {
    const call = parsed('chat_completions', { tools: [] });
    const { tools: _, ...body } = call.body;
    expect(usedParameters({ ...call, body })).toEqual(['tools']);
  });
});

describe('the parameters that an endpoint does not support', () => {
  const unsupported = (
    target: ModelEndpoint,
    operation: Operation,
    parameters: readonly string[],
    untranslatable: readonly string[] = [],
  ) =>
    unsupportedBy(target, {
      operation,
      parameters,
      extraParameters: [],
      anthropic: NO_ANTHROPIC_HEADERS,
      body: {},
      sendsReasoning: false,
      exceedsChatForm: false,
      needsRewriting: false,
      untranslatable: () => untranslatable.map((param) => ({ param, message: 'It has no counterpart.' })),
    }).map(({ param }) => param);

  it('are those not in its list, and none without a list', () => {
    const parameters = ['seed', 'top_p'];
    expect(unsupported(endpoint('openai', ['top_p']), 'chat_completions', parameters)).toEqual(['seed']);
    expect(unsupported(endpoint('openai', []), 'chat_completions', parameters)).toEqual(parameters);
    expect(unsupported(endpoint('openai', null), 'chat_completions', parameters)).toEqual([]);
  });

  it('exclude those that its list has under the other protocol’s name', () => {
    expect(unsupported(endpoint('anthropic', ['stop']), 'messages', ['stop_sequences'])).toEqual([]);
    expect(unsupported(endpoint('openai', ['stop_sequences']), 'chat_completions', ['stop'])).toEqual([]);
  });

  it('include the losses of translation, each once', () => {
    const losing = ['chat_completions', ['seed', 'top_p'], ['seed', 'messages[0].content[1]']] as const;
    expect(unsupported(endpoint('openai', null), ...losing)).toEqual([]);
    expect(unsupported(endpoint('anthropic', null), ...losing)).toEqual(['seed', 'messages[0].content[1]']);
    expect(unsupported(endpoint('anthropic', []), ...losing)).toEqual([
      'seed',
      'messages[0].content[1]',
      'top_p',
    ]);
  });

  it('are reported to the caller by name', () => {
    const call = routingCallOf(parsed('messages', { max_tokens: 5, top_k: 1 }), () => []);
    expect(warningsOf(unsupportedBy(endpoint('anthropic', []), call))).toEqual([
      {
        param: 'top_k',
        code: 'unsupported_parameter',
        message: expect.stringContaining('`top_k`') as string,
      },
    ]);
  });
});

describe('an extra parameter', () => {
  const chat = (fields: object) => routingCallOf(parsed('chat_completions', fields), () => []);
  const lacking = (target: ModelEndpoint, fields: object) =>
    unsupportedBy(target, chat(fields)).map(({ param }) => param);

  it('is supported by the endpoints that list it, and by no others', () => {
    const fields = { min_p: 0.1, seed: 1 };
    expect(lacking(endpoint('openai', null, ['min_p']), fields)).toEqual([]);
    expect(lacking(endpoint('openai', null), fields)).toEqual(['min_p']);
    expect(lacking(endpoint('openai', ['seed'], ['min_p']), fields)).toEqual([]);
    // The list of the route's own fields says nothing of it.
    expect(lacking(endpoint('openai', ['min_p']), fields)).toEqual(['min_p', 'seed']);
  });

  it('that is null counts as left out', () => {
    expect(lacking(endpoint('openai', null), { min_p: null })).toEqual([]);
  });

  it('supports a field of the route that the other list leaves out', () => {
    const call = routingCallOf(parsed('messages', { max_tokens: 5, top_k: 1 }), () => []);
    expect(call.extraParameters).toEqual([]);
    expect(unsupportedBy(endpoint('anthropic', ['temperature'], ['top_k']), call)).toEqual([]);
  });
});

describe('Anthropic’s headers', () => {
  const lost = (target: ModelEndpoint, operation: Operation, version: string | null = null) =>
    unsupportedBy(target, {
      ...routingCallOf(parsed(operation, { max_tokens: 5 }), () => []),
      anthropic: { version, betas: ['x-2026-01-01'] },
    }).map(({ param }) => param);

  it('are lost everywhere but where a messages call needs no translation', () => {
    expect(lost(endpoint('anthropic', null), 'messages', '2099-01-01')).toEqual([]);
    expect(lost(endpoint('openai', null), 'messages')).toEqual(['anthropic-beta']);
    expect(lost(endpoint('anthropic', null), 'chat_completions')).toEqual(['anthropic-beta']);
    expect(lost(endpoint('openai', null), 'chat_completions')).toEqual(['anthropic-beta']);
  });

  it('lose no version that translation knows', () => {
    expect(lost(endpoint('openai', null), 'messages', '2023-06-01')).toEqual(['anthropic-beta']);
    expect(lost(endpoint('openai', null), 'messages', '2026-10-21')).toEqual(['anthropic-beta']);
    expect(lost(endpoint('openai', null), 'messages', '2099-01-01')).toEqual([
      'anthropic-version',
      'anthropic-beta',
    ]);
  });
});
