import { callFields } from './call-fields';
import { type Operation } from './operation';
import { paidParts, unpaidOptions } from './unpaid-options';
import { usualValues } from './usual-values';

const unpaidIn = (operation: Operation, body: object, extra: readonly string[] = []) =>
  unpaidOptions(operation, { model: 'a/b', ...body }, extra);
const told = (operation: Operation, body: object) =>
  unpaidIn(operation, body).losses.map(({ param }) => param);
const sentParts = (operation: Operation, body: object) => {
  const paths: string[] = [];
  const changed = paidParts(operation, { model: 'a/b', ...body }, (path) => paths.push(path));
  return { changed, paths };
};
const turn = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
const kept = { cache_control: { type: 'ephemeral', ttl: '1h' } };

describe('what the tokens of a call do not pay for', () => {
  it.each<[Operation, object, readonly string[]]>([
    ['chat_completions', { service_tier: 'priority' }, ['service_tier']],
    ['chat_completions', { service_tier: 'flex' }, ['service_tier']],
    ['chat_completions', { web_search_options: {} }, ['web_search_options']],
    ['chat_completions', { modalities: ['text', 'audio'], audio: { voice: 'a' } }, ['modalities', 'audio']],
    ['chat_completions', { prompt_cache_retention: '24h' }, ['prompt_cache_retention']],
    [
      'chat_completions',
      { prompt_cache_options: { mode: 'explicit', ttl: '24h' } },
      ['prompt_cache_options.ttl'],
    ],
    [
      'responses',
      { service_tier: 'priority', prompt_cache_retention: '24h' },
      ['service_tier', 'prompt_cache_retention'],
    ],
    ['messages', { service_tier: 'priority' }, ['service_tier']],
    ['messages', { inference_geo: 'us' }, ['inference_geo']],
    ['messages', { container: 'c' }, ['container']],
    ['messages', { mcp_servers: [{ type: 'url' }] }, ['mcp_servers']],
    ['messages', { speed: 'turbo' }, ['speed']],
    ['messages', { cache_control: kept.cache_control }, ['cache_control.ttl']],
    ['messages', { a_field_of_tomorrow: true }, ['a_field_of_tomorrow']],
  ])('of %s: %j', (operation, body, params) => {
    expect(told(operation, body)).toEqual(params);
    expect(unpaidIn(operation, body)).toMatchObject({ omit: params, hasParts: false });
  });

  it.each<[Operation, object]>([
    [
      'chat_completions',
      { service_tier: 'auto', modalities: ['text'], prompt_cache_retention: 'in_memory', store: true },
    ],
    ['chat_completions', { tools: [{ type: 'function' }, { type: 'custom' }, { function: { name: 'f' } }] }],
    ['messages', { service_tier: 'standard_only', inference_geo: 'global', mcp_servers: [], speed: 'fast' }],
    [
      'messages',
      { tools: [{ name: 'f' }, { type: 'custom' }, { type: 'bash_20250124' }, { type: 'advisor_20260101' }] },
    ],
    [
      'messages',
      { ...turn({ type: 'text', cache_control: { type: 'ephemeral' } }), cache_control: { ttl: '5m' } },
    ],
    ['messages', turn({ type: 'tool_use', input: kept })],
    ['messages', { tools: [{ name: 'f', input_schema: { properties: kept } }] }],
    ['chat_completions', { service_tier: null, audio: null }],
    ['responses', { tools: [{ type: 'web_search' }] }],
    ['embeddings', { input: ['a'], dimensions: 3, encoding_format: 'float', user: 'u' }],
  ])('is none of %s: %j', (operation, body) => {
    expect(unpaidIn(operation, body)).toEqual({ losses: [], omit: [], hasParts: false });
  });

  it('is not what an endpoint lists beyond the fields of its route', () => {
    expect(unpaidIn('chat_completions', { min_p: 0.1 }, ['min_p']).losses).toEqual([]);
  });

  it('are the only fields of a route that are not on the list', () => {
    const unlisted = (operation: Operation) =>
      [...callFields[operation].keys()].filter((name) => {
        const value = usualValues[operation].get(name) ?? 'a';
        return unpaidIn(operation, { [name]: value }).omit.includes(name);
      });
    const options = ['prompt_cache_retention', 'service_tier'];
    expect(unlisted('chat_completions').filter((name) => !options.includes(name))).toEqual([
      'audio',
      'modalities',
      'web_search_options',
    ]);
    expect(unlisted('messages').filter((name) => !options.includes(name))).toEqual([
      'container',
      'inference_geo',
      'mcp_servers',
    ]);
    expect(unlisted('responses').filter((name) => !options.includes(name))).toEqual([]);
    expect(unlisted('embeddings')).toEqual([]);
  });
});

describe('the messages and tools that tokens pay for', () => {
  it.each<[Operation, string]>([
    ['messages', 'web_search_20250305'],
    ['messages', 'web_fetch_20250910'],
    ['messages', 'code_execution_20250825'],
    ['messages', 'mcp_toolset'],
    ['messages', 'a_tool_of_tomorrow'],
    ['chat_completions', 'web_search'],
    ['chat_completions', 'code_interpreter'],
    ['chat_completions', 'builtin_function'],
  ])('of %s have no tool %s', (operation, type) => {
    const own = operation === 'messages' ? { name: 'f' } : { type: 'function', function: { name: 'f' } };
    const body = { tools: [{ type, name: 'found' }, own] };
    expect(unpaidIn(operation, body)).toMatchObject({ hasParts: true, losses: [{ param: 'tools[0]' }] });
    expect(sentParts(operation, body)).toEqual({ changed: { tools: [own] }, paths: ['tools[0]'] });
  });

  it.each<[Operation, object]>([
    [
      'chat_completions',
      { messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'input_audio' }] }] },
    ],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_text' }, { type: 'input_audio' }] }] }],
  ])('of %s have no speech: %j', (operation, body) => {
    expect(told(operation, body)).toHaveLength(1);
    expect(JSON.stringify(sentParts(operation, body).changed)).not.toContain('input_audio');
  });

  it('choose no tool that is gone', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const choice = { tools, tool_choice: { type: 'tool', name: 'web_search' } };
    expect(sentParts('messages', choice)).toEqual({
      changed: { tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined },
      paths: ['tools[0]', 'tool_choice'],
    });
    expect(sentParts('messages', { tools, tool_choice: { type: 'auto' } }).paths).toEqual(['tools[0]']);
    const both = { tools: [...tools, { name: 'f' }], tool_choice: { type: 'tool', name: 'f' } };
    expect(sentParts('messages', both).changed).toEqual({ tools: [{ name: 'f' }] });
  });

  it('load at once what only a search would have loaded', () => {
    const tools = [
      { type: 'tool_search_tool_bm25_20251119', name: 's' },
      { name: 'f', defer_loading: true },
    ];
    expect(sentParts('messages', { tools }).changed).toEqual({ tools: [{ name: 'f' }] });
  });

  it.each<[string, Operation, object, string]>([
    ['a part', 'messages', turn({ type: 'text', ...kept }), 'messages[0].content[0].cache_control.ttl'],
    [
      'a part of a result',
      'messages',
      turn({ type: 'tool_result', content: [{ type: 'text', ...kept }] }),
      'messages[0].content[0].content[0].cache_control.ttl',
    ],
    [
      'a part of a document',
      'messages',
      turn({ type: 'document', source: { type: 'content', content: [{ type: 'text', ...kept }] } }),
      'messages[0].content[0].source.content[0].cache_control.ttl',
    ],
    ['the system prompt', 'messages', { system: [{ type: 'text', ...kept }] }, 'system[0].cache_control.ttl'],
    ['a tool', 'messages', { tools: [{ name: 'f', ...kept }] }, 'tools[0].cache_control.ttl'],
    [
      'a part of a chat message',
      'chat_completions',
      turn({ type: 'text', ...kept }),
      'messages[0].content[0].cache_control.ttl',
    ],
    [
      'an item',
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_text', ...kept }] }] },
      'input[0].content[0].cache_control.ttl',
    ],
  ])('keep no hour of cache in %s', (_, operation, body, path) => {
    expect(told(operation, body)).toEqual([path]);
    const { changed, paths } = sentParts(operation, body);
    expect(paths).toEqual([path]);
    expect(JSON.stringify(changed)).toContain('"cache_control":{"type":"ephemeral"}');
    expect(JSON.stringify(changed)).not.toContain('1h');
  });
});
