import fc from 'fast-check';
import { ResponseFollower, responseEvents } from '../testing/response-stream';
import { chatAnswer, chatStream, cuts, messageContent, messageStream } from '../testing/upstream-streams';
import { type StreamRelay } from '../stream/stream-relay';
import { ChatToResponseStreamRelay } from '../translation/stream/chat-to-response-relay';
import { MessageToResponseStreamRelay } from '../translation/stream/message-to-response-relay';
import { StreamRecorder } from './stream-recorder';

type Json = Record<string, unknown>;

function record(stream: string): string {
  const recorder = new StreamRecorder('responses');
  recorder.push([Buffer.from(stream)]);
  return Buffer.from(recorder.end()!).toString();
}

const call = { model: 'acme/small', body: {}, createdAtSeconds: 1767225600 };

function relayed(relay: StreamRelay, stream: string): string {
  const pieces = relay.push(Buffer.from(stream));
  relay.end();
  return Buffer.concat([...pieces, ...relay.finish({ svc: 0 })]).toString();
}

const frame = (type: string, rest: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const delta = (number: number, text: string, rest: Json = {}): string =>
  frame('response.output_text.delta', {
    sequence_number: number,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: text,
    ...rest,
  });

describe('a recorded responses stream', () => {
  it('gives a client the same response as the original, in rising numbers', () => {
    fc.assert(
      fc.property(chatAnswer, messageContent, cuts, (said, content, textCuts) => {
        const streams = [
          relayed(new ChatToResponseStreamRelay(call), chatStream(said, textCuts, true)),
          relayed(new MessageToResponseStreamRelay(call), messageStream(content, 'end_turn', textCuts)),
        ];
        for (const stream of streams) {
          const replayed = record(stream);
          expect(new ResponseFollower().follow(replayed, true)).toEqual(
            new ResponseFollower().follow(stream),
          );
        }
      }),
    );
  });

  it('has one event for all pieces of a text, also where two come in turns', () => {
    const pieces = Array.from({ length: 100 }, (_, at) => at);
    const stream = pieces
      .map((at) => delta(2 * at, `a${String(at)}`) + delta(2 * at + 1, `b${String(at)}`, { output_index: 1 }))
      .join('');
    const joined = (letter: string): string => pieces.map((at) => `${letter}${String(at)}`).join('');
    expect(responseEvents(record(stream))).toMatchObject([
      { sequence_number: 0, output_index: 0, delta: joined('a') },
      { sequence_number: 1, output_index: 1, delta: joined('b') },
    ]);
  });

  it('joins log probabilities, and leaves padding out', () => {
    const [a, b] = [{ token: 'a' }, { token: 'b' }];
    const told = (number: number, text: string, logprob: Json): string =>
      delta(number, text, { logprobs: [logprob], obfuscation: 'xyz' });
    const [event] = responseEvents(record(told(4, 'a', a) + told(5, 'b', b)));
    expect(event).toEqual({
      type: 'response.output_text.delta',
      sequence_number: 4,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'ab',
      logprobs: [a, b],
    });
  });

  it.each([
    ['parts', delta(0, 'a') + delta(1, 'b', { content_index: 1 })],
    ['kinds', delta(0, 'a') + delta(1, 'b').replaceAll('output_text', 'refusal')],
    ['shapes', delta(0, 'a') + delta(1, 'b', { logprobs: [] })],
    ['unknown members', delta(0, 'a', { x: 1 }) + delta(1, 'b', { x: 1 })],
    ['pieces that are no text', delta(0, 'a', { delta: { b: 1 } }) + delta(1, 'b', { delta: { b: 1 } })],
  ])('keeps different %s apart', (_, stream) => {
    expect(record(stream)).toBe(stream);
  });
});
