import fc from 'fast-check';

type Json = Record<string, unknown>;

/** The text cut into pieces between characters. */
function inPieces(text: string, cuts: readonly number[]): string[] {
  const characters = Array.from(text);
  const places = [0, ...cuts.map((cut) => cut % (characters.length + 1)).sort((a, b) => a - b)];
  return places.map((from, index) => characters.slice(from, places[index + 1]).join(''));
}

const someText = fc.string({ unit: 'binary', minLength: 1 });
const toolInput = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((input) => JSON.parse(JSON.stringify(input)) as Json);
const name = fc.stringMatching(/^[a-z_]{1,12}$/);

/** Places at which a text or a stream is cut. */
export const cuts = fc.array(fc.nat(), { maxLength: 6 });

/** An answer of a model with Anthropic's protocol: the content of a message. */
export const messageContent = fc
  .array(
    fc.oneof(
      fc.record({ type: fc.constant('text'), text: someText }),
      fc.record({ type: fc.constant('thinking'), thinking: someText, signature: name }),
      fc.record({ type: fc.constant('redacted_thinking'), data: name }),
      fc.record({ type: fc.constant('tool_use'), name, input: toolInput }),
    ),
  )
  .map((blocks): Json[] =>
    blocks.map((block, index) =>
      block.type === 'tool_use' ? { ...block, id: `toolu_${String(index)}` } : { ...block },
    ),
  );

/** A messages stream of the content, whose texts come in pieces. */
export function messageStream(
  content: readonly Json[],
  stopReason: string,
  textCuts: readonly number[],
): string {
  const event = (type: string, rest: Json = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const deltas = (one: Json): Json[] => {
    const texts = (value: unknown): string[] => inPieces(String(value), textCuts);
    if (one['type'] === 'text') return texts(one['text']).map((text) => ({ type: 'text_delta', text }));
    if (one['type'] === 'thinking') {
      const told = texts(one['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking }));
      return [...told, { type: 'signature_delta', signature: one['signature'] }];
    }
    if (one['type'] !== 'tool_use') return [];
    return texts(JSON.stringify(one['input'])).map((json) => ({
      type: 'input_json_delta',
      partial_json: json,
    }));
  };
  const empty = (one: Json): Json => ({
    ...one,
    ...(one['type'] === 'text' && { text: '' }),
    ...(one['type'] === 'thinking' && { thinking: '', signature: '' }),
    ...(one['type'] === 'tool_use' && { input: {} }),
  });
  return [
    event('message_start', {
      message: { id: 'msg_1', model: 's-1', usage: { input_tokens: 5, output_tokens: 1 } },
    }),
    ...content.map(
      (one, index) =>
        event('content_block_start', { index, content_block: empty(one) }) +
        deltas(one)
          .map((delta) => event('content_block_delta', { index, delta }))
          .join('') +
        event('content_block_stop', { index }),
    ),
    event('message_delta', { delta: { stop_reason: stopReason }, usage: { output_tokens: 7 } }),
    event('message_stop'),
  ].join('');
}

/** The same answer as a plain message. */
export const plainMessage = (content: readonly Json[], stopReason: string): Json => ({
  id: 'msg_1',
  type: 'message',
  model: 's-1',
  content,
  stop_reason: stopReason,
  usage: { input_tokens: 5, output_tokens: 7 },
});

/** An answer of a model with OpenAI's chat protocol. */
export const chatAnswer = fc.record({
  reasoning: fc.option(someText),
  content: fc.option(someText),
  calls: fc.array(fc.record({ id: fc.uuid(), name, input: toolInput }), { maxLength: 3 }),
  refusal: fc.option(someText),
  finishReason: fc.constantFrom('stop', 'length', 'tool_calls'),
});

type ChatAnswer = typeof chatAnswer extends fc.Arbitrary<infer T> ? T : never;

/** A chat stream of the answer, whose texts come in pieces. Tool calls come one after another, or mixed. */
export function chatStream(
  { reasoning, content, refusal, calls, finishReason }: ChatAnswer,
  textCuts: readonly number[],
  isMixed: boolean,
): string {
  const chunk = (delta: Json, finish: unknown = null): string =>
    `data: ${JSON.stringify({ id: 'c_1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const told = (field: string, text: string | null): string[] =>
    text === null ? [] : inPieces(text, textCuts).map((piece) => chunk({ [field]: piece }));
  const ofCalls = calls.map(({ id, name: called, input }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name: called, arguments: '' } }] }),
    ...inPieces(JSON.stringify(input), textCuts).map((piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  const rounds = Math.max(0, ...ofCalls.map((pieces) => pieces.length));
  const mixed = Array.from({ length: rounds }, (_, round) =>
    ofCalls.flatMap((pieces) => pieces[round] ?? []),
  );
  return [
    chunk({ role: 'assistant', content: '' }),
    ...told('reasoning_content', reasoning),
    ...told('content', content),
    ...told('refusal', refusal),
    ...(isMixed ? mixed.flat() : ofCalls.flat()),
    chunk({}, finishReason),
    `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } })}\n\n`,
    'data: [DONE]\n\n',
  ].join('');
}

/** The same answer as a plain chat completion. */
export const plainCompletion = ({ reasoning, content, refusal, calls, finishReason }: ChatAnswer): Json => ({
  id: 'c_1',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content,
        refusal,
        reasoning_content: reasoning,
        tool_calls: calls.map(({ id, name: called, input }) => ({
          id,
          type: 'function',
          function: { name: called, arguments: JSON.stringify(input) },
        })),
      },
      finish_reason: finishReason,
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 7 },
});
