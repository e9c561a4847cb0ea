import { type GenerativeOperation, type Operation } from '../call/operation';
import { parseCall, type ParsedCall } from '../call/parse-call';
import { encodeUtf8, isRecord, type JsonRecord } from '../json/byte-text';
import { listIn, recordIn, recordsIn, textIn } from '../json/untyped';
import { relayForCall } from '../stream/relay-for-call';
import { type StreamRelay } from '../stream/stream-relay';
import { translatedRelayForCall } from '../translation/stream/translated-relay';

interface AnsweredTool {
  id: string;
  name: string;
  arguments: string;
}

/** An answer as a client of any route reads it. */
interface CallerAnswer {
  text: string;
  reasoning: string;
  tools: AnsweredTool[];
  /** In OpenAI's words for chat completions. Null where the stream did not end as a whole one. */
  ended: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null;
}

const bodies: Readonly<Record<GenerativeOperation, object>> = {
  chat_completions: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
  responses: { input: 'Hi' },
};

export const callOf = (operation: GenerativeOperation, more: object = {}): ParsedCall =>
  parseCall(
    operation,
    encodeUtf8(JSON.stringify({ model: 'acme/small', stream: true, ...bodies[operation], ...more })),
  );

export interface Played {
  readonly relay: StreamRelay;
  readonly answer: CallerAnswer;
  /** All that the caller got. */
  readonly whole: string;
}

/** Relays a provider's stream, cut into chunks at `cuts`, to a caller of a route. */
export function playStream(
  stream: string,
  { call, spoken, cuts = [] }: { call: ParsedCall; spoken: Operation; cuts?: readonly number[] },
): Played {
  const relay =
    spoken === call.operation
      ? relayForCall(call)
      : translatedRelayForCall(call, { createdAtSeconds: 1, spoken });
  const bytes = encodeUtf8(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.flatMap((from, index) => relay.push(bytes.subarray(from, places[index + 1] ?? from)));
  relay.end();
  if (relay.state === 'complete') pieces.push(...relay.finish({ svc: 0 }));
  const whole = Buffer.concat(pieces).toString();
  return { relay, whole, answer: answerIn(call.operation, whole) };
}

function answerIn(operation: Operation, stream: string): CallerAnswer {
  const answer: CallerAnswer = { text: '', reasoning: '', tools: [], ended: null };
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6)) as JsonRecord;
    if (operation === 'chat_completions') addChunk(answer, event);
    else if (operation === 'messages') addMessageEvent(answer, event);
    else if (isRecord(event['response'])) takeResponse(answer, event['response']);
  }
  return answer;
}

function addChunk(answer: CallerAnswer, chunk: JsonRecord): void {
  for (const { delta: told, finish_reason: reason } of recordsIn(chunk['choices'])) {
    const delta = recordIn(told);
    answer.text += textIn(delta['content']);
    answer.reasoning += textIn(delta['reasoning_content']);
    for (const { index, id, function: called } of recordsIn(delta['tool_calls'])) {
      const tool = (answer.tools[Number(index)] ??= {
        id: textIn(id),
        name: textIn(recordIn(called)['name']),
        arguments: '',
      });
      tool.arguments += textIn(recordIn(called)['arguments']);
    }
    if (typeof reason === 'string' && reason !== '') answer.ended = reason as CallerAnswer['ended'];
  }
}

const stopReasons: Readonly<Record<string, CallerAnswer['ended']>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

function addMessageEvent(answer: CallerAnswer, event: JsonRecord): void {
  const block = recordIn(event['content_block']);
  const delta = recordIn(event['delta']);
  if (block['type'] === 'tool_use')
    answer.tools.push({ id: textIn(block['id']), name: textIn(block['name']), arguments: '' });
  answer.text += textIn(delta['text']);
  answer.reasoning += textIn(delta['thinking']);
  const tool = answer.tools.at(-1);
  if (tool !== undefined) tool.arguments += textIn(delta['partial_json']);
  if (event['type'] === 'message_delta') answer.ended = stopReasons[String(delta['stop_reason'])] ?? null;
}

const incompleteReasons: Readonly<Record<string, CallerAnswer['ended']>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

function takeResponse(answer: CallerAnswer, response: JsonRecord): void {
  const items = recordsIn(response['output']);
  const texts = (type: string, member: string): string =>
    items
      .filter((item) => item['type'] === type)
      .flatMap((item) => listIn(item[member]).map((part) => textIn(recordIn(part)['text'])))
      .join('');
  answer.text = texts('message', 'content');
  answer.reasoning = texts('reasoning', 'summary');
  answer.tools = items
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({
      id: textIn(item['call_id']),
      name: textIn(item['name']),
      arguments: textIn(item['arguments']),
    }));
  const reason = incompleteReasons[textIn(recordIn(response['incomplete_details'])['reason'])];
  const isWhole = response['status'] === 'completed';
  answer.ended = isWhole ? (answer.tools.length > 0 ? 'tool_calls' : 'stop') : (reason ?? null);
}
