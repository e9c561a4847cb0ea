import fc from 'fast-check';
import { type JsonRecord } from '../../json/byte-text';
import { REASONING_FIELDS } from '../reasoning';
import { encryptedContentOf } from '../reasoning-item';
import { Losses } from '../loss';
import { responsesCallToChat } from './responses-call-to-chat';
import { responsesCallToMessages } from './responses-call-to-messages';
import { rewriteResponsesCall } from './rewrite-responses-call';

const target = { upstreamModel: 'gpt-6', maxOutputTokens: 1000 };

const translations = {
  'chat completions': (body: JsonRecord, losses: Losses) => responsesCallToChat(body, target, losses).body,
  messages: (body: JsonRecord, losses: Losses) => responsesCallToMessages(body, target, losses),
  responses: (body: JsonRecord, losses: Losses) => rewriteResponsesCall(body, target, losses),
};

const text = fc.string({ unit: 'binary' });
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const detail = fc.constantFrom('auto', 'low', 'high');
const part = fc.oneof(
  text.map((said) => ({ type: 'input_text', text: said })),
  fc.record({
    type: fc.constant('input_image'),
    detail,
    image_url: fc.constant('https://example.com/a.png'),
  }),
  fc.record({ type: fc.constant('input_image'), detail, file_id: name }),
  fc.record({
    type: fc.constant('input_file'),
    filename: name,
    file_data: fc.constant('data:text/plain;base64,'),
  }),
  fc.record({ type: fc.constant('input_file'), file_url: fc.constant('https://example.com/a.pdf') }),
);
const content = fc.oneof(text, fc.array(part));
const encrypted = fc.oneof(
  fc.constantFrom(null, 'gAAAA', ...REASONING_FIELDS.map(encryptedContentOf)),
  name.map((signature) => encryptedContentOf({ type: 'reasoning.text', text: '', signature })),
);
const exchange = fc
  .array(fc.record({ id: name, name, json: fc.oneof(fc.json(), text), output: content }), { maxLength: 3 })
  .map((calls) => [
    ...calls.map(({ id, name: called, json }) => ({
      type: 'function_call',
      call_id: id,
      name: called,
      arguments: json,
    })),
    ...calls.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output })),
  ]);
const items = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system', 'developer'), content }).map((one) => [one]),
      fc.record({ role: fc.constant('assistant'), content: text }).map((one) => [one]),
      fc
        .record({
          type: fc.constant('reasoning'),
          id: name,
          summary: fc.array(text.map((said) => ({ type: 'summary_text', text: said }))),
          encrypted_content: encrypted,
        })
        .map((one) => [one]),
      exchange,
      fc.constantFrom('web_search_call', 'compaction').map((type) => [{ type, id: 'x' }]),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((lists): JsonRecord[] => lists.flat());
const tool = fc.oneof(
  fc.record({
    type: fc.constant('function'),
    name,
    parameters: fc.constantFrom(null, {}),
    strict: fc.boolean(),
  }),
  fc.record({ type: fc.constant('custom'), name }),
  fc.constantFrom({ type: 'web_search' }, { type: 'mcp', server_label: 'a' }),
);
const choice = fc.oneof(
  fc.constantFrom('auto', 'none', 'required', null, { type: 'web_search' }),
  name.map((chosen) => ({ type: 'function', name: chosen })),
);
const call = fc.record(
  {
    model: fc.constant('a/b'),
    input: fc.oneof(text, items),
    instructions: text,
    tools: fc.array(tool),
    tool_choice: choice,
    parallel_tool_calls: fc.boolean(),
    store: fc.boolean(),
    include: fc.constantFrom([], ['reasoning.encrypted_content'], ['message.output_text.logprobs']),
    reasoning: fc.record({
      effort: fc.constantFrom('minimal', 'high'),
      summary: fc.constantFrom('auto', 'detailed'),
    }),
    text: fc.record({
      format: fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
      verbosity: fc.constant('low'),
    }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    truncation: fc.constantFrom('auto', 'disabled'),
    top_logprobs: fc.nat(20),
  },
  { requiredKeys: ['model', 'input'] },
);

/** True where a path such as `input[2].content[0].detail` leads to a value. */
function exists(path: string, body: unknown): boolean {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.every((key) => {
    body = (body as JsonRecord | null | undefined)?.[key];
    return body !== undefined;
  });
}

/** Ids of the tool calls and of the results, in order. */
function toolIds(sent: JsonRecord): (string | undefined)[] {
  const ids = JSON.stringify(sent).matchAll(/"(?:tool_call_id|tool_use_id|call_id|id)":"([^"]*)"/g);
  return Array.from(ids, ([, id]) => id);
}

describe.each(Object.entries(translations))('any responses call sent as %s', (_, translate) => {
  it('is translated, and each loss names a part of the call', () => {
    fc.assert(
      fc.property(call, (body) => {
        const losses = new Losses();
        translate(body, losses);
        for (const { param } of losses.all) expect([param, exists(param, body)]).toEqual([param, true]);
      }),
    );
  });

  it('keeps each tool call and each result with its id', () => {
    fc.assert(
      fc.property(exchange, (input) => {
        const sent = translate({ model: 'a/b', input }, new Losses());
        expect(toolIds(sent)).toEqual(input.map(({ call_id: id }) => id));
      }),
    );
  });
});
