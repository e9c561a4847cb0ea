import fc from 'fast-check';
import { parseCall } from '../../call/parse-call';
import { type Operation } from '../../call/operation';
import {
  chatAnswer,
  chatStream,
  cuts,
  messageContent,
  messageStream,
  plainCompletion,
  plainMessage,
} from '../../testing/upstream-streams';
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

describe('a translated messages stream', () => {
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
        messageContent,
        fc.constantFrom('end_turn', 'max_tokens', 'tool_use'),
        cuts,
        cuts,
        (content, stopReason, textCuts, byteCuts) => {
          const stream = messageStream(content, stopReason, textCuts);
          const whole = plain('chat_completions', plainMessage(content, stopReason));
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
      fc.property(chatAnswer, cuts, cuts, fc.boolean(), (said, textCuts, byteCuts, isMixed) => {
        const whole = plain('messages', plainCompletion(said));
        const stream = chatStream(said, textCuts, isMixed);
        expect(assembled(relayed('messages', stream, byteCuts))).toEqual({ ...whole, model: 'a/b' });
      }),
    );
  });
});
