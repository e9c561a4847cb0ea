import { generatedText } from './answer-output';

describe('the generated text of a plain answer', () => {
  it('of chat completions is content, reasoning, refusals and what tools are called with, of every choice', () => {
    const call = { function: { name: 'f', arguments: '{"a":1}' } };
    const custom = { type: 'custom', custom: { name: 'g', input: 'x = 1' } };
    const choices = [
      { message: { role: 'assistant', content: 'Hi', reasoning: 'Hm', reasoning_content: 'Hm' } },
      { message: { content: [{ type: 'text', text: 'parts' }], refusal: 'No', tool_calls: [call, custom] } },
      {
        message: {
          content: null,
          function_call: { name: 'f', arguments: '{}' },
          audio: { transcript: 'Oh' },
        },
      },
    ];
    expect(generatedText('chat_completions', { choices })).toEqual([
      ['reasoning', 'Hm'],
      ['content', 'Hi'],
      ['content', 'parts'],
      ['refusal', 'No'],
      ['arguments', '{"a":1}'],
      ['input', 'x = 1'],
      ['transcript', 'Oh'],
      ['arguments', '{}'],
    ]);
  });

  it('of messages is text, thinking and the input of tools, of every block', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
    ];
    expect(generatedText('messages', { content })).toEqual([
      ['thinking', 'Hm'],
      ['text', 'Hi'],
      ['input', '{"a":1}'],
    ]);
  });

  it('of responses is text, refusals, reasoning and the input of tools, of every item', () => {
    const output = [
      { type: 'reasoning', summary: [{ text: 'Hm' }], content: [{ type: 'reasoning_text', text: 'So' }] },
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'Hi' },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'function_call', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', name: 'g', input: 'x = 1' },
    ];
    expect(generatedText('responses', { output })).toEqual([
      ['reasoning_text', 'So'],
      ['reasoning_summary_text', 'Hm'],
      ['output_text', 'Hi'],
      ['refusal', 'No'],
      ['function_call_arguments', '{"a":1}'],
      ['custom_tool_call_input', 'x = 1'],
    ]);
  });

  it.each([{}, { choices: [null, 1, {}, { message: { content: 5, tool_calls: ['x'] } }] }])(
    'of %j is nothing',
    (answer) => {
      expect(generatedText('chat_completions', answer)).toEqual([]);
      expect(generatedText('messages', answer)).toEqual([]);
      expect(generatedText('responses', answer)).toEqual([]);
    },
  );
});
