import { byteJson, parseByteJson } from '../../json/byte-json';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { contentParts } from '../../output/content-parts';
import { type TokenUsage } from '../../usage/token-usage';
import { calledIn, ChatToolCalls } from '../chat-tool-calls';
import { type Losses } from '../loss';
import { reasoningIn } from '../reasoning';
import { encryptedContentOf } from '../reasoning-item';
import { type AnsweredCall } from '../response/response-object';
import { type IncompleteReason, type OpenCall, ResponseWriter } from '../response/response-writer';
import { listIn, recordIn, textIn } from '../untyped-json';
import { answerPart } from './completion-to-message';

/** Translates a chat completion to a response. Null when it holds no answer. */
export function completionToResponse(
  completion: JsonRecord,
  usage: TokenUsage | null,
  call: AnsweredCall,
  losses: Losses,
): JsonRecord | null {
  const choice = listIn(completion['choices']).find(isRecord);
  if (choice === undefined || !isRecord(choice['message'])) return null;
  const writer = new ResponseWriter(call);
  const answer = new ChatAnswerToResponse(writer, losses);
  writer.begin(textIn(completion['id']));
  // A whole answer is a stream of one piece. Only there its calls have an index.
  const calls = calledIn(choice['message']).map((one, index) => ({ ...recordIn(one), index }));
  answer.take({ ...choice['message'], tool_calls: calls }, choice['logprobs']);
  answer.end(choice['finish_reason']);
  return parseByteJson(writer.response(answer.incompleteReason, usage));
}

/** Tells a writer of responses the pieces of a chat answer. Methods return the events to send now. */
export class ChatAnswerToResponse {
  incompleteReason: IncompleteReason = null;
  readonly #writer: ResponseWriter;
  readonly #losses: Losses;
  readonly #calls: ChatToolCalls<OpenCall>;

  constructor(writer: ResponseWriter, losses: Losses) {
    this.#writer = writer;
    this.#losses = losses;
    this.#calls = new ChatToolCalls(() => writer.openCall());
  }

  /** `piece`: a delta or a message. It may have several members. They are told in the order of a response's items. */
  take(piece: JsonRecord, logprobs: unknown): string {
    const calls = calledIn(piece);
    let out = calls.length === 0 ? this.#nameCalls() : '';
    const reasoning = reasoningIn(piece);
    if (reasoning !== null) {
      out += this.#writer.reasoning(byteJson(reasoning.text), encryptedContentOf(reasoning.field));
    }
    out += this.#takeContent(piece['content'], listIn(recordIn(logprobs)['content']));
    for (const annotation of listIn(piece['annotations'])) out += this.#takeAnnotation(annotation);
    const refusal = textIn(piece['refusal']);
    if (refusal !== '') out += this.#writer.refusal(byteJson(refusal));
    for (const call of calls) if (isRecord(call)) out += this.#takeCall(call);
    if (isRecord(piece['audio'])) this.#losses.omit('audio');
    return out;
  }

  end(finishReason: unknown): string {
    this.incompleteReason = incompleteReasonOf(finishReason);
    const named = this.#nameCalls();
    if (this.#calls.hasUnnamed) this.#losses.omit('tool_calls');
    return named + this.#writer.end(this.incompleteReason);
  }

  #takeAnnotation(annotation: unknown): string {
    const { type, url_citation: citation } = recordIn(annotation);
    if (type === 'url_citation' && isRecord(citation)) return this.#writer.annotation({ type, ...citation });
    this.#losses.omit('annotations');
    return '';
  }

  #takeContent(content: unknown, logprobs: readonly unknown[]): string {
    let out = '';
    for (const { kind, text } of contentParts(content)) {
      if (kind === 'other') this.#losses.omit(answerPart(text));
      else if (kind === 'reasoning') out += this.#writer.reasoning(byteJson(text), null);
      else out += this.#writer.text(byteJson(text), logprobs);
    }
    return out;
  }

  #nameCalls(named = this.#calls.nameWhole(this.#writer.answerId)): string {
    let out = '';
    for (const { block, ...tool } of named) out += this.#writer.nameCall(block, tool);
    return out;
  }

  #takeCall(entry: JsonRecord): string {
    const { block, named, input } = this.#calls.take(entry, this.#writer.answerId);
    const events = input === '' ? '' : this.#writer.callInput(block, byteJson(input));
    if (events === null) this.#losses.omit('tool_calls.function.arguments');
    return (events ?? '') + this.#nameCalls(named);
  }
}

const incompleteReasons: Readonly<Record<string, IncompleteReason>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** `incomplete_details.reason` for a chat choice's `finish_reason`. */
export const incompleteReasonOf = (finishReason: unknown): IncompleteReason =>
  incompleteReasons[String(finishReason)] ?? null;
