import { additionMembers, type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson, parseByteJson } from '../../json/byte-json';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { inBandFailure } from '../../stream/in-band-failure';
import { readSseFrame } from '../../stream/sse-frame';
import { protocolViolation, FrameRelay } from '../../stream/stream-relay';
import { usageOfChatCompletion } from '../../usage/chat-completion-usage';
import { type TokenUsage } from '../../usage/token-usage';
import { messageEnd, missingCallId, textOf } from '../answer/completion-to-message';
import { ChatToolCalls } from '../chat-tool-calls';
import { type Loss, Losses } from '../loss';
import { reasoningIn } from '../reasoning';
import { listIn, recordIn, textIn } from '../untyped-json';
import { messageUsageReport } from '../usage-report';
import { MessageBlockWriter, type ToolBlock } from './message-block-writer';
import { RepeatedFrame } from './repeated-frame';
import { isTextAlone } from './text-alone';

const TERMINATOR = '[DONE]';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

/**
 * Relays a chat-completions stream to a messages caller. Chat reports usage at the end only, so `message_start` has
 * zeros and `message_delta` the real counters.
 */
export class ChatToMessageStreamRelay extends FrameRelay {
  usage: TokenUsage | null = null;
  readonly #callersModel: string;
  readonly #losses = new Losses();
  readonly #textFrame = new RepeatedFrame();
  readonly #blocks = new MessageBlockWriter();
  readonly #toolCalls = new ChatToolCalls<ToolBlock>(() => this.#blocks.openTool());
  #answerId = '';
  #finishReason: unknown = null;
  #refusal: string[] = [];

  /** `model`: the caller's name of it. */
  constructor(call: { readonly model: string }) {
    super();
    this.#callersModel = call.model;
  }

  /** Parts of the answer that the translation lost, for `warnings[]`. */
  override get losses(): readonly Loss[] {
    return this.#losses.all;
  }

  override keepOutput(): void {
    super.keepOutput();
    this.#blocks.keptOutput = this.keptOutput;
  }

  protected take(frame: string): string {
    const textAlone = this.#textFrame.match(frame);
    if (textAlone !== null) return this.#counted(this.#blocks.textJson(textAlone));
    const { event, data } = readSseFrame(frame);
    if (data === null) return this.started ? PING : '';
    if (data === TERMINATOR) {
      if (!this.started) return this.fail(protocolViolation);
      this.state = 'complete';
      return '';
    }
    const chunk = parseByteJson(data);
    if (chunk === null) return this.fail(protocolViolation);
    if (event === 'error' || Boolean(chunk['error'])) {
      return this.fail(inBandFailure(chunk['error'] ?? chunk));
    }
    if (!Array.isArray(chunk['choices'])) return this.fail(protocolViolation);
    this.usage = usageOfChatCompletion(chunk['usage']) ?? this.usage;
    const [choice] = chunk['choices'] as readonly unknown[];
    if (!isRecord(choice)) return '';
    if (isTextAlone(chunk, choice)) {
      this.#textFrame.learn(frame, 'content', byteJson(recordIn(choice['delta'])['content']));
    }
    return this.#counted(this.#start(chunk) + this.#takeChoice(choice));
  }

  protected close(rest: string): boolean {
    if (readSseFrame(rest).data === TERMINATOR) return this.started;
    // Several compatible servers send no terminator.
    return rest.trim() === '' && this.#finishReason !== null;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const usage = additions.usage ?? messageUsageReport(this.usage);
    const delta = { type: 'message_delta', delta: this.#end(), usage, ...additionMembers(additions) };
    return `${this.#blocks.flush()}event: message_delta\ndata: ${byteJson(delta)}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;
  }

  #counted(out: string): string {
    this.outputBytes = this.#blocks.writtenBytes;
    return out;
  }

  #end(): JsonRecord {
    const refusal = this.#refusal.join('');
    const calledTools = this.#toolCalls.all.some(({ name }) => name !== '');
    return messageEnd(this.#finishReason, { calledTools, refusal });
  }

  #start({ id }: JsonRecord): string {
    if (this.started) return '';
    this.started = true;
    this.#answerId = textIn(id);
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model: this.#callersModel,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: messageUsageReport(this.usage),
    };
    return `event: message_start\ndata: ${byteJson({ type: 'message_start', message })}\n\n`;
  }

  #takeChoice({ delta, finish_reason: finishReason }: JsonRecord): string {
    let out = isRecord(delta) ? this.#takeDelta(delta) : '';
    if ((finishReason ?? null) !== null) {
      this.#finishReason = finishReason;
      if (this.#toolCalls.all.some(({ name }) => name === '')) this.#losses.omit('tool_calls');
      out += this.#blocks.flush();
    }
    return out;
  }

  /** A delta may have several members. They are emitted in the order of a message's blocks. */
  #takeDelta(delta: JsonRecord): string {
    let out = '';
    const reasoning = reasoningIn(delta);
    if (reasoning !== null) out += this.#blocks.thinking(reasoning.text, reasoning.field);
    const refusal = textIn(delta['refusal']);
    if (refusal !== '') this.#refusal.push(refusal);
    const text = textOf(delta['content']) + refusal;
    if (text !== '') out += this.#blocks.text(text);
    for (const call of listIn(delta['tool_calls'])) if (isRecord(call)) out += this.#takeCall(call);
    if (isRecord(delta['audio'])) this.#losses.omit('audio');
    return out;
  }

  #takeCall(piece: JsonRecord): string {
    const { name, arguments: json } = recordIn(piece['function']);
    const call = this.#toolCalls.callOf(piece);
    let out = '';
    if (call.name === '' && textIn(name) !== '') {
      call.name = textIn(name);
      const id = call.id || missingCallId(this.#answerId, this.#toolCalls.all.indexOf(call));
      out += this.#blocks.nameTool(call.block, id, call.name);
    }
    if (textIn(json) === '') return out;
    const frames = this.#blocks.toolArguments(call.block, textIn(json));
    if (frames === null) this.#losses.omit('tool_calls.function.arguments');
    return out + (frames ?? '');
  }
}
