import { type JsonRecord } from '../../json/byte-text';
import { Losses } from '../loss';
import { encryptedContentOf } from '../reasoning-item';
import { responsesCallToChat } from './responses-call-to-chat';
import { responsesCallToMessages } from './responses-call-to-messages';

const target = { upstreamModel: 'm', maxOutputTokens: 1000 };

/** The body for a provider, and the paths of the parts that it is not sent. */
function sent(translate: 'chat' | 'messages', body: JsonRecord): { body: JsonRecord; lost: string[] } {
  const losses = new Losses();
  const whole = { model: 'a/b', input: 'Hi', ...body };
  const translated =
    translate === 'chat'
      ? responsesCallToChat(whole, target, losses).body
      : responsesCallToMessages(whole, target, losses);
  return {
    body: JSON.parse(JSON.stringify(translated)) as JsonRecord,
    lost: losses.all.map(({ param }) => param),
  };
}
const toChat = (body: JsonRecord) => sent('chat', body);
const toMessages = (body: JsonRecord) => sent('messages', body);

const call = (id: string, name = 'weather', json = '{"city":"Oslo"}'): JsonRecord => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: json,
  status: 'completed',
});
const result = (id: string, output: unknown): JsonRecord => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
const image = { type: 'input_image', detail: 'low', image_url: 'data:image/png;base64,AAAA' };
const toolCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
});

describe('a responses call for a provider of chat completions', () => {
  it('has the instructions, the input and the limit', () => {
    expect(toChat({ instructions: 'Be brief.', max_output_tokens: 50, stream: true })).toEqual({
      body: {
        model: 'm',
        max_completion_tokens: 1000,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        stream: true,
        stream_options: { include_usage: true },
      },
      lost: [],
    });
  });

  it('takes message items with and without a type, of every role, as text and as parts', () => {
    const { body, lost } = toChat({
      input: [
        { role: 'developer', content: 'Be kind.' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, image] },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'A cat.', annotations: [] }],
        },
        { role: 'user', content: 'Sure?' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No comment.' }] },
        { role: 'user', content: [{ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain,' }] },
      ],
    });
    expect(lost).toEqual([]);
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: image.image_url, detail: 'low' } },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: 'Sure?' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No comment.' }] },
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain,' } }],
      },
    ]);
  });

  it('has parallel tool calls in one message, followed by their results', () => {
    const { body, lost } = toChat({
      input: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: 'I look.' },
        call('c1'),
        call('c2'),
        result('c1', 'rain'),
        result('c2', [{ type: 'input_text', text: 'sun' }]),
        { role: 'user', content: 'Thanks' },
      ],
    });
    expect(lost).toEqual([]);
    expect(body['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [toolCall('c1'), toolCall('c2')] },
      { role: 'tool', tool_call_id: 'c1', content: 'rain' },
      { role: 'tool', tool_call_id: 'c2', content: 'sun' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('shows images of results in a user message after the last result', () => {
    const { body } = toChat({
      input: [call('c1'), call('c2'), result('c1', [image]), result('c2', 'sun'), call('c3')],
    });
    expect((body['messages'] as JsonRecord[]).map(({ role }) => role)).toEqual([
      ...['assistant', 'tool', 'tool', 'user', 'assistant'],
    ]);
  });

  it('has custom tools, their calls and results', () => {
    const { body, lost } = toChat({
      tools: [
        {
          type: 'custom',
          name: 'patch',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
        },
      ],
      tool_choice: { type: 'custom', name: 'patch' },
      input: [
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'a' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ],
    });
    expect(lost).toEqual([]);
    expect(body).toMatchObject({
      tools: [
        {
          type: 'custom',
          custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark' } } },
        },
      ],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
      messages: [
        { tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
    });
  });

  it('has functions in the nested form, with every choice among them', () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false, required: [] };
    const tools = [{ type: 'function', name: 'f', description: 'd', parameters, strict: true }];
    const chosen = (choice: unknown) =>
      toChat({ tools, tool_choice: choice, parallel_tool_calls: false }).body;
    const named = { type: 'function', function: { name: 'f' } };
    expect(chosen('required')).toMatchObject({
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    expect(chosen({ type: 'function', name: 'f' })).toMatchObject({ tool_choice: named });
    expect(
      chosen({ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] }),
    ).toMatchObject({
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } },
    });
    expect(toChat({ tools, tool_choice: { type: 'function', name: 'g' } }).lost).toEqual(['tool_choice']);
  });

  it('leaves out built-in tools, and what depends on them', () => {
    const { body, lost } = toChat({
      tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: null, strict: false }],
      tool_choice: { type: 'web_search' },
      max_tool_calls: 3,
    });
    expect(lost).toEqual(['tools[0]', 'tool_choice']);
    expect(body).toMatchObject({ tools: [{ type: 'function', function: { name: 'f' } }] });
    expect(toChat({ tools: [{ type: 'web_search' }], tool_choice: 'auto' })).toMatchObject({
      lost: ['tools[0]'],
      body: { messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(toChat({ tools: [], tool_choice: 'required' }).lost).toEqual(['tool_choice']);
  });

  it('has structured output, verbosity, effort and log probabilities', () => {
    const schema = { type: 'object', properties: {} };
    const { body, lost } = toChat({
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema }, verbosity: 'low' },
      reasoning: { effort: 'high', summary: 'auto' },
      top_logprobs: 2,
      include: ['reasoning.encrypted_content'],
    });
    expect(lost).toEqual([]);
    expect(body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      verbosity: 'low',
      reasoning_effort: 'high',
      logprobs: true,
      top_logprobs: 2,
    });
    expect(toChat({ text: { format: { type: 'json_object' } } }).body).toMatchObject({
      response_format: { type: 'json_object' },
    });
  });

  it('returns reasoning to the field of the provider that it came from', () => {
    const encrypted = encryptedContentOf('reasoning_content');
    const reasoning = { type: 'reasoning', id: 'rs_1', encrypted_content: encrypted };
    const { body, lost } = toChat({
      input: [
        { ...reasoning, summary: [{ type: 'summary_text', text: 'Look it up.' }] },
        call('c1'),
        result('c1', 'rain'),
      ],
    });
    expect(lost).toEqual([]);
    expect(body['messages']).toMatchObject([
      { role: 'assistant', content: null, reasoning_content: 'Look it up.', tool_calls: [toolCall('c1')] },
      { role: 'tool' },
    ]);
  });

  it('names everything that it leaves out by its path', () => {
    expect(
      toChat({
        store: true,
        truncation: 'auto',
        reasoning: { effort: 'low', summary: 'detailed', mode: 'pro' },
        stream_options: { include_obfuscation: true },
        input: [
          { role: 'user', content: [{ type: 'input_image', detail: 'auto', file_id: 'file-1' }] },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed' },
          result('c1', [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }]),
        ],
      }).lost.sort(),
    ).toEqual([
      ...['input[0].content[0]', 'input[1]', 'input[2]', 'input[3].output[0]', 'reasoning.mode'],
      ...['reasoning.summary', 'store', 'stream_options.include_obfuscation', 'truncation'],
    ]);
  });

  it('loses nothing where fields say what is the default', () => {
    expect(
      toChat({ store: false, background: false, truncation: 'disabled', text: { format: { type: 'text' } } })
        .lost,
    ).toEqual([]);
  });
});

describe('a responses call for a provider of messages', () => {
  it('keeps tool calls, their results with images, and the system prompt', () => {
    const { body, lost } = toMessages({
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
      input: [
        { role: 'user', content: 'Weather?' },
        call('c1'),
        call('c2'),
        result('c1', [
          { type: 'input_text', text: 'rain' },
          { ...image, detail: 'auto' },
        ]),
        result('c2', 'sun'),
      ],
    });
    expect(lost).toEqual([]);
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
            { type: 'tool_use', id: 'c2', name: 'weather', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text' }, { type: 'image' }] },
            { type: 'tool_result', tool_use_id: 'c2', content: 'sun' },
          ],
        },
      ],
    });
  });

  it('returns signed thinking to its place before the tool call', () => {
    const detail = { type: 'reasoning.text', text: 'Look it up.', signature: 'sig=' };
    const { body, lost } = toMessages({
      input: [
        { role: 'user', content: 'Weather?' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Look it up.' }],
          encrypted_content: encryptedContentOf(detail),
        },
        { role: 'assistant', content: [{ type: 'output_text', text: 'I look.', annotations: [] }] },
        call('c1'),
        result('c1', 'rain'),
      ],
    });
    expect(lost).toEqual([]);
    expect((body['messages'] as { content: unknown }[])[1]!.content).toEqual([
      { type: 'thinking', thinking: 'Look it up.', signature: 'sig=' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
    ]);
  });

  it('names what it leaves out as the responses call does', () => {
    const { lost } = toMessages({
      instructions: 'Be brief.',
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      top_logprobs: 1,
      tools: [{ type: 'web_search' }, { type: 'custom', name: 'patch' }],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }, image] },
        { role: 'developer', content: 'Be kind.' },
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'a' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          encrypted_content: encryptedContentOf('reasoning_content'),
        },
      ],
    });
    expect(lost.sort()).toEqual([
      ...['input[0].content[1].detail', 'input[1]', 'input[2]', 'input[3]'],
      ...['text.format', 'text.verbosity', 'tools[0]', 'tools[1]', 'top_logprobs'],
    ]);
  });
});
