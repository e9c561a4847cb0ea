import { joinedParts, noPart, streamedPart, wholeAnswer } from './answer-parts';

const svc = { provider: 'acme', attempts: [], cost: { customer_nanos: 3000n, state: 'final' } };
const warnings = [{ param: 'seed', code: 'unsupported_parameter', message: 'It was omitted.' }];

describe('a chat completion', () => {
  it('says its text, its tools, and what the service adds', () => {
    const body = {
      choices: [
        {
          index: 0,
          message: { content: 'Hello', tool_calls: [{ function: { name: 'find', arguments: '{}' } }] },
        },
      ],
      svc,
      warnings,
    };
    expect(wholeAnswer('chat_completions', body)).toEqual({
      text: 'Hello',
      reasoning: '',
      tools: '\nfind {}',
      svc,
      warnings,
    });
  });

  it('streams the text of its first choice', () => {
    const frames = [
      { choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'Hm' } }] },
      { choices: [{ index: 1, delta: { content: 'another' } }] },
      { choices: [{ index: 0, delta: { content: 'He' } }] },
      { choices: [{ index: 0, delta: { content: 'llo' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], svc },
    ];
    expect(
      frames.map((frame) => streamedPart('chat_completions', frame)).reduce(joinedParts, noPart),
    ).toEqual({ ...noPart, text: 'Hello', reasoning: 'Hm', svc });
  });
});

describe('a message', () => {
  it('says its text, its thinking and its tools', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', name: 'find', input: { a: 1 } },
    ];
    expect(wholeAnswer('messages', { content, svc })).toEqual({
      text: 'Hello',
      reasoning: 'Hm',
      tools: '\nfind {"a":1}',
      svc,
      warnings: [],
    });
  });

  it('streams them', () => {
    const frames = [
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_start', content_block: { type: 'tool_use', name: 'find', input: {} } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, svc, warnings },
    ];
    expect(frames.map((frame) => streamedPart('messages', frame)).reduce(joinedParts, noPart)).toEqual({
      text: 'Hello',
      reasoning: '',
      tools: '\nfind {"a":1}',
      svc,
      warnings,
    });
  });
});

it.each([{}, { choices: null }, { choices: [null] }, { content: 'x' }, { type: 'ping' }])(
  'an answer of another shape says nothing: %j',
  (body) => {
    for (const operation of ['chat_completions', 'messages'] as const) {
      expect(wholeAnswer(operation, body)).toEqual(noPart);
      expect(streamedPart(operation, body)).toEqual(noPart);
    }
  },
);
