import { type Answer } from '../answer/answer';
import { argumentPieces, wordPieces } from '../answer/pieces';
import { type ResponseCall } from './read-response-call';
import {
  type FunctionCallItem,
  incompleteReason,
  type MessageItem,
  type OutputItem,
  outputItems,
  type ReasoningItem,
  writeResponse,
  writeStartedResponse,
} from './write-response';

interface Event {
  readonly type: string;
  readonly members: object;
}

/** `response.created` to `response.completed` or `response.incomplete`; the events are numbered from 0. */
export function* responseFrames(answer: Answer, call: ResponseCall): Generator<string> {
  let sequenceNumber = 0;
  for (const { type, members } of events(answer, call)) yield frame(type, members, sequenceNumber++);
}

/** An event has its type twice: some clients read the line, others the member. */
export function frame(type: string, members: object, sequenceNumber: number): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequenceNumber, ...members })}\n\n`;
}

function* events(answer: Answer, call: ResponseCall): Generator<Event> {
  const started = { response: writeStartedResponse(answer, call) };
  yield { type: 'response.created', members: started };
  yield { type: 'response.in_progress', members: started };
  for (const [index, item] of outputItems(answer, call).entries()) {
    const at = { output_index: index };
    yield { type: 'response.output_item.added', members: { ...at, item: openingOf(item) } };
    for (const { type, members } of eventsOf(item)) {
      yield { type, members: { item_id: item.id, ...at, ...members } };
    }
    yield { type: 'response.output_item.done', members: { ...at, item } };
  }
  const end = incompleteReason(answer) === undefined ? 'response.completed' : 'response.incomplete';
  yield { type: end, members: { response: writeResponse(answer, call) } };
}

/** An output item as its first event shows it: without content. */
function openingOf(item: OutputItem): object {
  switch (item.type) {
    case 'reasoning':
      return { ...item, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

function eventsOf(item: OutputItem): Iterable<Event> {
  switch (item.type) {
    case 'reasoning':
      return reasoningEvents(item);
    case 'message':
      return messageEvents(item);
    case 'function_call':
      return functionCallEvents(item);
  }
}

function* reasoningEvents({ summary }: ReasoningItem): Generator<Event> {
  for (const [index, part] of summary.entries()) {
    const at = { summary_index: index };
    const opening = { ...at, part: { ...part, text: '' } };
    yield { type: 'response.reasoning_summary_part.added', members: opening };
    for (const delta of wordPieces(part.text)) {
      yield { type: 'response.reasoning_summary_text.delta', members: { ...at, delta } };
    }
    yield { type: 'response.reasoning_summary_text.done', members: { ...at, text: part.text } };
    yield { type: 'response.reasoning_summary_part.done', members: { ...at, part } };
  }
}

function* messageEvents({ content }: MessageItem): Generator<Event> {
  for (const [index, part] of content.entries()) {
    const at = { content_index: index };
    yield { type: 'response.content_part.added', members: { ...at, part: { ...part, text: '' } } };
    for (const delta of wordPieces(part.text)) {
      yield { type: 'response.output_text.delta', members: { ...at, delta, logprobs: [] } };
    }
    yield { type: 'response.output_text.done', members: { ...at, text: part.text, logprobs: [] } };
    yield { type: 'response.content_part.done', members: { ...at, part } };
  }
}

function* functionCallEvents({ name, arguments: argumentsJson }: FunctionCallItem): Generator<Event> {
  for (const delta of argumentPieces(argumentsJson)) {
    yield { type: 'response.function_call_arguments.delta', members: { delta } };
  }
  yield { type: 'response.function_call_arguments.done', members: { name, arguments: argumentsJson } };
}
