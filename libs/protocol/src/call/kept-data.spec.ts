import { accountReferences } from './account-references';
import { keptData } from './kept-data';
import { type Operation } from './operation';

describe('what a call asks a provider to keep', () => {
  it.each<[Operation, object, readonly string[]]>([
    ['chat_completions', { store: true }, ['store']],
    ['chat_completions', { prompt_cache_retention: '24h' }, ['prompt_cache_retention']],
    ['responses', { prompt_cache_retention: '24h' }, ['prompt_cache_retention']],
    ['responses', { prompt_cache_options: { ttl: '24h' } }, ['prompt_cache_options.ttl']],
    ['chat_completions', { store: false, prompt_cache_retention: 'in_memory' }, []],
    ['responses', { store: true }, []],
    ['messages', { cache_control: { type: 'ephemeral', ttl: '1h' } }, []],
  ])('of %s: %j', (operation, body, params) => {
    expect(keptData(operation, body as never).losses.map(({ param }) => param)).toEqual(params);
  });

  it('takes the labels of a stored completion along', () => {
    expect(keptData('chat_completions', { store: true }).omit).toEqual(['store', 'metadata']);
  });
});

const turn = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });

describe('the ids of a provider’s account in a call', () => {
  it.each<[Operation, object, string]>([
    ['messages', { container: 'container_1' }, 'container'],
    ['messages', { container: { id: 'container_1' } }, 'container.id'],
    [
      'messages',
      turn({ type: 'image', source: { type: 'file', file_id: 'f' } }),
      'messages[0].content[0].source.file_id',
    ],
    ['messages', turn({ type: 'container_upload', file_id: 'f' }), 'messages[0].content[0].file_id'],
    [
      'messages',
      turn({ type: 'tool_result', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] }),
      'messages[0].content[0].content[0].source.file_id',
    ],
    [
      'chat_completions',
      turn({ type: 'file', file: { file_id: 'f' } }),
      'messages[0].content[0].file.file_id',
    ],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'input[0].content[0].file_id',
    ],
    [
      'responses',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].output[0].file_id',
    ],
    ['responses', { tools: [{ type: 'code_interpreter', container: 'c' }] }, 'tools[0].container'],
    [
      'responses',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] },
      'tools[0].container.file_ids',
    ],
    ['responses', { tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools[0].vector_store_ids'],
    [
      'responses',
      { tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'c' } }] },
      'tools[0].environment.container_id',
    ],
  ])('of %s: %j', (operation, body, param) => {
    expect(accountReferences(operation, body as never)).toMatchObject([{ param }]);
  });

  it.each<[Operation, object]>([
    ['messages', { container: { skills: [{ type: 'anthropic', skill_id: 'xlsx' }] } }],
    ['messages', turn({ type: 'tool_use', input: { file_id: 'f' } })],
    ['messages', { tools: [{ name: 'f', input_schema: { properties: { file_id: {} } } }] }],
    ['chat_completions', turn({ type: 'file', file: { file_data: 'data:' } })],
    ['responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }], input: 'Hi' }],
    ['embeddings', { input: ['file_id'] }],
  ])('are none of %s: %j', (operation, body) => {
    expect(accountReferences(operation, body as never)).toEqual([]);
  });
});
