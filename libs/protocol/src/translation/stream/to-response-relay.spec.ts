import fc from 'fast-check';
import type OpenAI from 'openai';
import { type JsonRecord } from '../../json/byte-text';
import { type StreamRelay } from '../../stream/stream-relay';
import { ResponseFollower } from '../../testing/response-stream';
import {
  chatAnswer,
  chatStream,
  cuts,
  messageContent,
  messageStream,
  plainCompletion,
  plainMessage,
} from '../../testing/upstream-streams';
import { usageOfChatCompletion } from '../../usage/chat-completion-usage';
import { usageOfMessage } from '../../usage/message-usage';
import { completionToResponse } from '../answer/completion-to-response';
import { messageToResponse } from '../answer/message-to-response';
import { Losses } from '../loss';
import { ChatToResponseStreamRelay } from './chat-to-response-relay';
import { MessageToResponseStreamRelay } from './message-to-response-relay';

const call = { model: 'acme/smäll', body: { instructions: 'Be brïef.' }, createdAtSeconds: 1767225600 };
const svc = { provider: 'acme' };

function relayed(relay: StreamRelay, stream: string, places: readonly number[] = []): string {
  const bytes = Buffer.from(stream);
  const at = [0, ...places.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = at.flatMap((from, index) => relay.push(bytes.subarray(from, at[index + 1] ?? from)));
  relay.end();
  expect(relay).toMatchObject({ state: 'complete', losses: [] });
  return Buffer.concat([...pieces, ...relay.finish({ svc })]).toString();
}

const fromChat = (stream: string, places?: readonly number[]): string =>
  relayed(new ChatToResponseStreamRelay(call), stream, places);
const fromMessages = (stream: string, places?: readonly number[]): string =>
  relayed(new MessageToResponseStreamRelay(call), stream, places);

const plainFromChat = (completion: JsonRecord): JsonRecord => ({
  ...completionToResponse(completion, usageOfChatCompletion(completion['usage']), call, new Losses()),
  svc,
});
const plainFromMessage = (message: JsonRecord): JsonRecord => ({
  ...messageToResponse(message, usageOfMessage(message['usage']), call, new Losses()),
  svc,
});

const stopReasons = fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'refusal');

describe('a stream that is translated to responses', () => {
  it('is a whole one from chat completions, and equals the plain answer, however it is cut', () => {
    fc.assert(
      fc.property(chatAnswer, cuts, cuts, fc.boolean(), (said, textCuts, byteCuts, isMixed) => {
        const stream = fromChat(chatStream(said, textCuts, isMixed), byteCuts);
        expect(new ResponseFollower().follow(stream)).toEqual(plainFromChat(plainCompletion(said)));
      }),
    );
  });

  it('is a whole one from messages, and equals the plain answer, however it is cut', () => {
    fc.assert(
      fc.property(messageContent, stopReasons, cuts, cuts, (content, stopReason, textCuts, byteCuts) => {
        const stream = fromMessages(messageStream(content, stopReason, textCuts), byteCuts);
        const message = plainMessage(content, stopReason);
        expect(new ResponseFollower().follow(stream)).toEqual(plainFromMessage(message));
      }),
    );
  });

  it('has the same bytes however its upstream is cut', () => {
    fc.assert(
      fc.property(chatAnswer, messageContent, cuts, (said, content, byteCuts) => {
        const [chat, messages] = [chatStream(said, [3], true), messageStream(content, 'end_turn', [3])];
        expect(fromChat(chat, byteCuts)).toBe(fromChat(chat));
        expect(fromMessages(messages, byteCuts)).toBe(fromMessages(messages));
      }),
    );
  });

  it.each(['openai', 'openai-6'])('is read by the client of %s as its last response says', async (client) => {
    const { OpenAI: Client } = (await import(client)) as { OpenAI: typeof OpenAI };
    const read = async (sent: string): Promise<void> => {
      const openai = new Client({
        apiKey: 'k',
        maxRetries: 0,
        fetch: () =>
          Promise.resolve(new Response(sent, { headers: { 'content-type': 'text/event-stream' } })),
      });
      const stream = openai.responses.stream({ model: 'm', input: 'Hi' });
      const { output_parsed: _, output_text: text, output, ...response } = await stream.finalResponse();
      const last = new ResponseFollower().follow(sent);
      expect({ ...response, output: withoutParsed(output) }).toEqual(last);
      expect(text).toBe(textOf(last));
    };
    await fc.assert(
      fc.asyncProperty(chatAnswer, messageContent, cuts, async (said, content, textCuts) => {
        await read(fromChat(chatStream(said, textCuts, true)));
        await read(fromMessages(messageStream(content, 'end_turn', textCuts)));
      }),
      { numRuns: 25 },
    );
  });
});

/** The client adds these members. */
const withoutParsed = (output: unknown): unknown =>
  JSON.parse(
    JSON.stringify(output, (key, value: unknown) =>
      key === 'parsed' || key === 'parsed_arguments' ? undefined : value,
    ),
  );

const textOf = (response: JsonRecord): string =>
  (response['output'] as { content?: { text?: string }[] }[])
    .flatMap(({ content = [] }) => content.map(({ text = '' }) => text))
    .join('');
