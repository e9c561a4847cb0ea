import { additionMembers, type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson } from '../../json/byte-json';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { contentParts } from '../../output/content-parts';
import { ChatStreamReader, type ChunkChoice } from '../../stream/chat-stream-reader';
import { FrameRelay } from '../../stream/stream-relay';
import { type TokenUsage } from '../../usage/token-usage';
import { messageUsageReport } from '../../usage/usage-report';
import { answerPart, messageEnd, UNTRANSLATED } from '../answer/completion-to-message';
import { calledIn, ChatToolCalls } from '../chat-tool-calls';
import { type Loss, Losses } from '../loss';
import { reasoningIn } from '../reasoning';
import { listIn, textIn } from '../untyped-json';
import { MessageBlockWriter, type ToolBlock } from './message-block-writer';
import { RepeatedFrame } from './repeated-frame';
import { isTextAlone } from './text-alone';

const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

/**
 * Relays a chat-completions stream to a messages caller. Chat reports usage at the end only, so `message_start` has
 * zeros and `message_delta` the real counters.
 */
export class ChatToMessageStreamRelay extends FrameRelay {
  readonly #callersModel: string;
  readonly #reader = new ChatStreamReader();
  readonly #losses = new Losses();
  readonly #textFrame = new RepeatedFrame();
  readonly #blocks = new MessageBlockWriter();
  readonly #toolCalls = new ChatToolCalls<ToolBlock>((end) => this.#blocks.openTool(end));
  #answerId = '';
  #finishReason: string | null = null;
  #refusal: string[] = [];

  /** `model`: the caller's name of it. */
  constructor(call: { readonly model: string }) {
    super();
    this.#callersModel = call.model;
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reader.usage;
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
    if (textAlone !== null) return this.#counted(this.#nameCalls() + this.#blocks.textJson(textAlone));
    const read = this.#reader.read(frame);
    if (read.kind === 'comment') return this.started ? PING : '';
    if (read.kind === 'terminator') return this.terminate();
    if (read.kind === 'failure') return this.fail(read.failure);
    const [choice] = read.choices ?? [];
    if (choice === undefined) return '';
    if (isTextAlone(read.chunk, choice)) {
      this.#textFrame.learn(frame, 'content', byteJson(choice.delta['content']));
    }
    return this.#counted(this.#start(read.chunk) + this.#takeChoice(choice));
  }

  protected isWhole(): boolean {
    // Several compatible servers send no terminator.
    return this.#finishReason !== null;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const usage = additions.usage ?? messageUsageReport(this.usage);
    const delta = { type: 'message_delta', delta: this.#end(), usage, ...additionMembers(additions) };
    return `${this.#nameCalls()}${this.#blocks.flush()}event: message_delta\ndata: ${byteJson(delta)}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;
  }

  #counted(out: string): string {
    this.outputBytes = this.#blocks.writtenBytes;
    return out;
  }

  #end(): JsonRecord {
    const refusal = this.#refusal.join('');
    return messageEnd(this.#finishReason, { calledTools: this.#toolCalls.hasNamed, refusal });
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

  #takeChoice({ delta, finishReason }: ChunkChoice): string {
    const told = this.#takeDelta(delta);
    if (finishReason === null) return told;
    this.#finishReason = finishReason;
    const named = this.#nameCalls();
    if (this.#toolCalls.hasUnnamed) this.#losses.omit('tool_calls');
    return told + named + this.#blocks.flush();
  }

  /** A delta may have several members. They are emitted in the order of a message's blocks. */
  #takeDelta(delta: JsonRecord): string {
    const calls = calledIn(delta);
    let out = calls.length === 0 ? this.#nameCalls() : '';
    const reasoning = reasoningIn(delta);
    if (reasoning !== null) out += this.#blocks.thinking(reasoning.text, reasoning.field);
    out += this.#takeContent(delta['content']);
    const refusal = textIn(delta['refusal']);
    if (refusal !== '') {
      this.#refusal.push(refusal);
      out += this.#blocks.text(refusal);
    }
    for (const call of calls) if (isRecord(call)) out += this.#takeCall(call);
    for (const name of UNTRANSLATED) {
      if (isRecord(delta[name]) || listIn(delta[name]).length > 0) this.#losses.omit(name);
    }
    return out;
  }

  #takeContent(content: unknown): string {
    let out = '';
    for (const { kind, text } of contentParts(content)) {
      if (kind === 'other') this.#losses.omit(answerPart(text));
      else out += kind === 'text' ? this.#blocks.text(text) : this.#blocks.thinking(text, 'content');
    }
    return out;
  }

  #nameCalls(named = this.#toolCalls.nameWhole(this.#answerId)): string {
    let out = '';
    for (const { block, callId, name } of named) out += this.#blocks.nameTool(block, callId, name);
    return out;
  }

  #takeCall(entry: JsonRecord): string {
    const { block, named, input } = this.#toolCalls.take(entry, this.#answerId);
    // Before the names: with these arguments the call may be complete, and a named one after it would end it.
    const frames = input === '' ? '' : this.#blocks.toolArguments(block, input);
    if (frames === null) this.#losses.omit('tool_calls.function.arguments');
    return (frames ?? '') + this.#nameCalls(named);
  }
}
