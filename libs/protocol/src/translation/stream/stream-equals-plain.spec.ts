import fc from 'fast-check';
import { parseCall } from '../../call/parse-call';
import { type Operation } from '../../call/operation';
import { translatePlainAnswer } from '../answer/translate-answer';
import { translatedRelayForCall } from './translated-relay';

const createdAtSeconds = 1767225600;
const callOf = (operation: Operation) =>
  parseCall(
    operation,
    Buffer.from(
      JSON.stringify({
        model: 'a/b',
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
        ...(operation === 'messages' ? { max_tokens: 9 } : { stream_options: { include_usage: true } }),
      }),
    ),
  );

type Json = Record<string, unknown>;

/** The text cut into pieces between characters. */
function inPieces(text: string, cuts: readonly number[]): string[] {
  const characters = Array.from(text);
  const places = [0, ...cuts.map((cut) => cut % (characters.length + 1)).sort((a, b) => a - b)];
  return places.map((from, index) => characters.slice(from, places[index + 1]).join(''));
}

function relayed(operation: Operation, stream: string, cuts: readonly number[]): string {
  const relay = translatedRelayForCall(callOf(operation), { createdAtSeconds });
  const bytes = Buffer.from(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.flatMap((from, index) => relay.push(bytes.subarray(from, places[index + 1] ?? from)));
  relay.end();
  expect(relay.state).toBe('complete');
  return Buffer.concat([...pieces, ...relay.finish({ svc: 0 })]).toString();
}

const plain = (operation: Operation, answer: Json): Json => {
  const translated = translatePlainAnswer(callOf(operation), Buffer.from(JSON.stringify(answer)), {
    createdAtSeconds,
  });
  return JSON.parse(Buffer.from(translated!.bytes).toString()) as Json;
};

const dataIn = (stream: string): Json[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Json);

const someText = fc.string({ unit: 'binary', minLength: 1 });
const toolInput = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((input) => JSON.parse(JSON.stringify(input)) as Json);
const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const cuts = fc.array(fc.nat(), { maxLength: 6 });

describe('a translated messages stream', () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: someText }),
    fc.record({ type: fc.constant('thinking'), thinking: someText, signature: name }),
    fc.record({ type: fc.constant('redacted_thinking'), data: name }),
    fc.record({ type: fc.constant('tool_use'), id: name, name, input: toolInput }),
  );

  function streamOf(content: readonly Json[], stopReason: string, textCuts: readonly number[]): string {
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

  /** The result of a client that accumulates the chunks. */
  function assembled(stream: string): { message: Json; finishReason: unknown; usage: unknown } {
    const message: Json = { role: 'assistant', content: '', refusal: null };
    const calls: { id?: unknown; type?: unknown; function: { name?: unknown; arguments: string } }[] = [];
    let finishReason: unknown = null;
    let usage: unknown;
    for (const chunk of dataIn(stream)) {
      usage = chunk['usage'] ?? usage;
      const [choice] = chunk['choices'] as { delta: Json; finish_reason: unknown }[];
      finishReason = choice?.finish_reason ?? finishReason;
      const { tool_calls: pieces, ...rest } = choice?.delta ?? {};
      for (const [key, value] of Object.entries(rest)) {
        message[key] =
          typeof value === 'string' && key !== 'role' ? `${String(message[key] ?? '')}${value}` : value;
      }
      for (const piece of (pieces ?? []) as { index: number; function: { arguments: string } }[]) {
        const { index, ...call } = piece;
        const known = calls[index];
        if (known === undefined) calls[index] = { ...call };
        else known.function.arguments += piece.function.arguments;
      }
    }
    if (calls.length > 0) message['tool_calls'] = calls;
    if (calls.length > 0 && message['content'] === '') message['content'] = null;
    return { message, finishReason, usage };
  }

  it('equals the plain answer, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(block),
        fc.constantFrom('end_turn', 'max_tokens', 'tool_use'),
        cuts,
        cuts,
        (content, stopReason, textCuts, byteCuts) => {
          const stream = streamOf(content, stopReason, textCuts);
          const whole = plain('chat_completions', {
            id: 'msg_1',
            type: 'message',
            model: 's-1',
            content,
            stop_reason: stopReason,
            usage: { input_tokens: 5, output_tokens: 7 },
          });
          const [choice] = whole['choices'] as { message: Json; finish_reason: unknown }[];
          expect(assembled(relayed('chat_completions', stream, byteCuts))).toEqual({
            message: choice?.message,
            finishReason: choice?.finish_reason,
            usage: whole['usage'],
          });
        },
      ),
    );
  });
});

describe('a translated chat stream', () => {
  const answer = fc.record({
    reasoning: fc.option(someText),
    content: fc.option(someText),
    calls: fc.array(fc.record({ id: fc.uuid(), name, input: toolInput }), { maxLength: 3 }),
    refusal: fc.option(someText),
    finishReason: fc.constantFrom('stop', 'length', 'tool_calls'),
  });

  /** Tool calls come one after another, or interleaved. */
  function streamOf(
    {
      reasoning,
      content,
      refusal,
      calls,
      finishReason,
    }: Json & { calls: { id: string; name: string; input: Json }[] },
    textCuts: readonly number[],
    isMixed: boolean,
  ): string {
    const chunk = (delta: Json, finish: unknown = null): string =>
      `data: ${JSON.stringify({ id: 'c_1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const told = (field: string, text: unknown): string[] =>
      text === null ? [] : inPieces(text as string, textCuts).map((piece) => chunk({ [field]: piece }));
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

  function assembled(stream: string): Json {
    const content: Json[] = [];
    const inputs = new Map<number, string>();
    let message: Json = {};
    let open: number | null = null;
    for (const event of dataIn(stream) as (Json & { index: number; delta: Record<string, string> })[]) {
      const { type, index, delta } = event;
      if (type === 'message_start') message = { ...(event['message'] as Json) };
      if (type === 'content_block_start') {
        expect(open).toBeNull();
        expect(index).toBe(content.length);
        open = index;
        content.push({ ...(event['content_block'] as Json) });
      }
      if (type === 'content_block_stop') {
        expect(open).toBe(index);
        open = null;
        const json = inputs.get(index);
        if (json !== undefined) content[index]!['input'] = JSON.parse(json);
      }
      if (type === 'content_block_delta') {
        expect(open).toBe(index);
        const { type: _, partial_json: json, ...texts } = delta;
        if (json !== undefined) inputs.set(index, (inputs.get(index) ?? '') + json);
        for (const [key, text] of Object.entries(texts))
          content[index]![key] = String(content[index]![key]) + text;
      }
      if (type === 'message_delta') message = { ...message, ...delta, usage: event['usage'] };
    }
    return { ...message, content };
  }

  it('equals the plain answer, however it is cut and its calls are interleaved', () => {
    fc.assert(
      fc.property(answer, cuts, cuts, fc.boolean(), (said, textCuts, byteCuts, isMixed) => {
        const toolCalls = said.calls.map(({ id, name: called, input }) => ({
          id,
          type: 'function',
          function: { name: called, arguments: JSON.stringify(input) },
        }));
        const whole = plain('messages', {
          id: 'c_1',
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: said.content,
                refusal: said.refusal,
                reasoning_content: said.reasoning,
                tool_calls: toolCalls,
              },
              finish_reason: said.finishReason,
            },
          ],
          usage: { prompt_tokens: 5, completion_tokens: 7 },
        });
        const stream = streamOf(said, textCuts, isMixed);
        expect(assembled(relayed('messages', stream, byteCuts))).toEqual({ ...whole, model: 'a/b' });
      }),
    );
  });
});
