import { additionMembers, type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson, bytesInside, inside } from '../../json/byte-json';
import { type JsonRecord } from '../../json/byte-text';
import { jsonTextOf } from '../../output/arguments-text';
import { MessageStreamReader } from '../../stream/message-stream-reader';
import { KEEP_ALIVE_COMMENT } from '../../stream/service-frames';
import { FrameRelay } from '../../stream/stream-relay';
import { type TokenUsage } from '../../usage/token-usage';
import { chatCompletionUsageReport } from '../../usage/usage-report';
import {
  answerBlock,
  CITATIONS,
  hasCitations,
  OTHER_CALLS,
  refusalOf,
} from '../answer/message-to-completion';
import { CallIds } from '../call-ids';
import { type Loss, Losses } from '../loss';
import { reasoningDetailOf } from '../reasoning';
import { finishReasonOf } from '../stop-reason';
import { textIn } from '../untyped-json';
import { RepeatedFrame } from './repeated-frame';

/** A content block that has not ended. */
interface OpenBlock {
  readonly block: JsonRecord;
  /** Index in the chat answer's tool calls. Null for any other block. */
  readonly toolIndex: number | null;
  /** Index in `reasoning_details`. Null for any block except thinking. */
  readonly detailIndex: number | null;
  readonly thinking: string[];
  signature: string;
  hasArguments: boolean;
}

interface ChatStreamCaller {
  /** The caller's name of the model. */
  readonly model: string;
  readonly usageRequested: boolean;
  /** Seconds since 1970 UTC. */
  readonly createdAtSeconds: number;
  /** True where the caller uses the deprecated `functions` and expects `function_call`. */
  readonly asFunctionCall: boolean;
}

/**
 * Relays a messages stream to a chat-completions caller. Thinking is sent twice: in pieces as `reasoning_content`, and
 * whole with its signature in one `reasoning_details` at the end. This suits clients that append such lists and clients
 * that keep the last one.
 */
export class MessageToChatStreamRelay extends FrameRelay {
  readonly #caller: ChatStreamCaller;
  readonly #reader = new MessageStreamReader();
  readonly #losses = new Losses();
  readonly #textFrame = new RepeatedFrame();
  readonly #open = new Map<unknown, OpenBlock>();
  readonly #reasoningDetails: JsonRecord[] = [];
  readonly #callIds = new CallIds();
  #answerId = '';
  /** The start of every chunk, up to its choices. */
  #head = '';
  #blocks = 0;
  #toolCalls = 0;

  constructor(caller: ChatStreamCaller) {
    super();
    this.#caller = caller;
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reader.usage;
  }

  protected override reportsAnswer(): boolean {
    return this.#reader.reportsAnswer;
  }

  /** Parts of the answer that the translation lost, for `warnings[]`. */
  override get losses(): readonly Loss[] {
    return this.#losses.all;
  }

  protected take(frame: string): string {
    const textAlone = this.#textFrame.match(frame);
    if (textAlone !== null) return this.#tellJson('content', textAlone);
    const read = this.#reader.read(frame);
    switch (read.kind) {
      case 'comment':
        return '';
      case 'ping':
        return this.started ? KEEP_ALIVE_COMMENT : '';
      case 'failure':
        return this.fail(read.failure);
      case 'start':
        return this.#start(read.message);
      case 'terminator':
        return this.terminate();
      case 'block_start':
        return this.#startBlock(read.index, read.block);
      case 'block_delta':
        this.#learn(frame, read.delta);
        return this.#takeDelta(this.#open.get(read.index), read.delta);
      case 'block_stop':
        return this.#stopBlock(read.index);
    }
  }

  protected isWhole(): boolean {
    return false;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const { asFunctionCall, usageRequested } = this.#caller;
    const { ending } = this.#reader;
    const refusal = refusalOf(ending);
    const details = this.#reasoningDetails;
    const last = this.#chunk(
      { ...(refusal !== null && { refusal }), ...(details.length > 0 && { reasoning_details: details }) },
      finishReasonOf(ending['stop_reason'], { asFunctionCall, calledTools: this.#toolCalls > 0 }),
    );
    const { usage } = this;
    const members = byteJson(additionMembers(additions)).slice(1, -1);
    const withAdditions = (chunk: string): string => `data: ${chunk.slice(0, -1)},${members}}\n\n`;
    const usageReport = usage === null ? additions.usage : chatCompletionUsageReport(usage);
    if (!usageRequested || usageReport === undefined) return `${withAdditions(last)}data: [DONE]\n\n`;
    const report = `${this.#head}"choices":[],"usage":${byteJson(usageReport)}}`;
    return `data: ${last}\n\n${withAdditions(report)}data: [DONE]\n\n`;
  }

  #start({ id }: JsonRecord): string {
    if (this.started) return '';
    this.started = true;
    this.#answerId = textIn(id);
    const { model, createdAtSeconds } = this.#caller;
    const head = { id, object: 'chat.completion.chunk', created: createdAtSeconds, model };
    this.#head = `${byteJson(head).slice(0, -1)},`;
    return this.#frame({ role: 'assistant', content: '' });
  }

  #startBlock(index: unknown, block: JsonRecord): string {
    const { type } = block;
    const detail = reasoningDetailOf(block, this.#blocks++);
    const toolIndex = type === 'tool_use' ? this.#toolCalls++ : null;
    if (toolIndex !== null && toolIndex > 0 && this.#caller.asFunctionCall) {
      this.#losses.omit(OTHER_CALLS);
      return '';
    }
    const detailIndex = detail === null ? null : this.#reasoningDetails.push(detail) - 1;
    const opened = { block, toolIndex, detailIndex, thinking: [], signature: '', hasArguments: false };
    this.#open.set(index, opened);
    if (hasCitations(block)) this.#losses.omit(CITATIONS);
    if (type === 'text') return this.#tell('content', textIn(block['text']));
    if (type === 'thinking') return this.#takeThinking(opened, textIn(block['thinking']));
    if (toolIndex !== null) return this.#frame(this.#callBegin(toolIndex, block));
    if (detail === null) this.#losses.omit(answerBlock(block));
    return '';
  }

  #takeDelta(opened: OpenBlock | undefined, delta: JsonRecord): string {
    if (opened === undefined) return '';
    switch (delta['type']) {
      case 'text_delta':
        return this.#tell('content', textIn(delta['text']));
      case 'thinking_delta':
        return this.#takeThinking(opened, textIn(delta['thinking']));
      case 'signature_delta':
        opened.signature += textIn(delta['signature']);
        return '';
      case 'input_json_delta':
        return this.#tellArguments(opened, jsonTextOf(delta['partial_json']));
      case 'citations_delta':
        this.#losses.omit(CITATIONS);
    }
    return '';
  }

  #stopBlock(index: unknown): string {
    const opened = this.#open.get(index);
    this.#open.delete(index);
    if (opened === undefined) return '';
    const { block, hasArguments, toolIndex } = opened;
    this.#completeDetail(opened);
    // Some upstreams send the whole input with the start. Without any input chat clients need an empty object.
    if (toolIndex === null || hasArguments) return '';
    return this.#tellArguments(opened, JSON.stringify(block['input'] ?? {}));
  }

  #takeThinking(opened: OpenBlock, thinking: string): string {
    opened.thinking.push(thinking);
    return this.#tell('reasoning_content', thinking);
  }

  #completeDetail({ block, detailIndex, thinking, signature }: OpenBlock): void {
    if (detailIndex === null || block['type'] !== 'thinking') return;
    const signed = signature === '' ? block['signature'] : signature;
    const whole = { ...block, thinking: thinking.join(''), signature: signed };
    const place = this.#reasoningDetails[detailIndex]?.['index'] as number;
    const detail = reasoningDetailOf(whole, place);
    if (detail !== null) this.#reasoningDetails[detailIndex] = detail;
  }

  #learn(frame: string, { type, text }: JsonRecord): void {
    if (type === 'text_delta') this.#textFrame.learn(frame, 'text', byteJson(text));
  }

  #tell(field: 'content' | 'reasoning_content', text: string): string {
    return text === '' ? '' : this.#tellJson(field, byteJson(text));
  }

  #tellJson(field: 'content' | 'reasoning_content', json: string): string {
    this.outputBytes += bytesInside(json);
    this.keptOutput?.add({ member: field, at: '' }, inside(json));
    return this.#frameOf(`{"${field}":${json}}`);
  }

  #callBegin(index: number, { id: sent, name }: JsonRecord): JsonRecord {
    const id = this.#callIds.next(textIn(sent), this.#answerId);
    const begun = { name, arguments: '' };
    if (this.#caller.asFunctionCall) return { function_call: begun };
    return { tool_calls: [{ index, id, type: 'function', function: begun }] };
  }

  #tellArguments(opened: OpenBlock, piece: string): string {
    if (piece === '' || opened.toolIndex === null) return '';
    opened.hasArguments = true;
    const json = byteJson(piece);
    this.outputBytes += bytesInside(json);
    this.keptOutput?.add({ member: 'arguments', at: String(opened.toolIndex) }, inside(json));
    const call = `{"arguments":${json}}`;
    if (this.#caller.asFunctionCall) return this.#frameOf(`{"function_call":${call}}`);
    return this.#frameOf(`{"tool_calls":[{"index":${String(opened.toolIndex)},"function":${call}}]}`);
  }

  #frame(delta: JsonRecord): string {
    return this.#frameOf(byteJson(delta));
  }

  #frameOf(delta: string): string {
    return `data: ${this.#head}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}]}\n\n`;
  }

  #chunk(delta: JsonRecord, finishReason: string): string {
    return `${this.#head}"choices":[${byteJson({ index: 0, delta, logprobs: null, finish_reason: finishReason })}]}`;
  }
}
