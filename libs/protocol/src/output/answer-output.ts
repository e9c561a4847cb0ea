import { type Operation } from '../call/operation';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordIn, recordsIn, textIn } from '../json/untyped';
import { jsonTextOf } from './arguments-text';
import { contentParts } from './content-parts';
import { type GeneratedPiece } from './generated-text';

/** The text that a plain answer has (docs/reference/money.md#estimated-usage), the same that a stream of it keeps. */
export const generatedText = (operation: Operation, answer: JsonRecord): readonly GeneratedPiece[] =>
  pieces[operation](answer).filter(([, text]) => text !== '');

const pieces: Readonly<Record<Operation, (answer: JsonRecord) => GeneratedPiece[]>> = {
  chat_completions: ({ choices }) => textOfChoices(choices),
  messages: ({ content }) => textOfBlocks(content),
  responses: ({ output }) => textOfItems(output),
  embeddings: () => [],
};

const textOfChoices = (choices: unknown): GeneratedPiece[] =>
  recordsIn(choices).flatMap(({ message }) => (isRecord(message) ? textOfMessage(message) : []));

function textOfMessage(message: JsonRecord): GeneratedPiece[] {
  const { content, refusal, audio, function_call: functionCall } = message;
  const calls = [...recordsIn(message['tool_calls']), { function: functionCall }];
  return [
    // Several servers send the same reasoning under its old name and its new one.
    piece('reasoning', textIn(message['reasoning_content']) || textIn(message['reasoning'])),
    ...contentParts(content)
      .filter(({ kind }) => kind !== 'other')
      .map(({ kind, text }) => piece(kind === 'text' ? 'content' : 'thinking', text)),
    piece('refusal', refusal),
    piece('transcript', recordIn(audio)['transcript']),
    ...calls.flatMap((call) => [
      piece('arguments', jsonTextOf(recordIn(call['function'])['arguments'])),
      piece('input', jsonTextOf(recordIn(call['custom'])['input'])),
    ]),
  ];
}

const textOfBlocks = (blocks: unknown): GeneratedPiece[] =>
  recordsIn(blocks).flatMap(({ text, thinking, input }) => [
    piece('thinking', thinking),
    piece('text', text),
    piece('input', input === undefined ? '' : JSON.stringify(input)),
  ]);

/** Members as in the events of a stream: `response.<member>.delta`. */
const textOfItems = (items: unknown): GeneratedPiece[] =>
  recordsIn(items).flatMap(({ type, content, summary, arguments: json, input }) => [
    ...recordsIn(content).flatMap(({ text, refusal }) => [
      piece(type === 'reasoning' ? 'reasoning_text' : 'output_text', text),
      piece('refusal', refusal),
    ]),
    ...recordsIn(summary).map(({ text }) => piece('reasoning_summary_text', text)),
    piece('function_call_arguments', json),
    piece('custom_tool_call_input', input),
  ]);

const piece = (member: string, text: unknown): GeneratedPiece => [member, textIn(text)];
