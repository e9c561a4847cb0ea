import { additionMembers, type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson, inside } from '../../json/byte-json';
import { type KeptOutput } from '../../output/kept-output';
import { type TokenUsage } from '../../usage/token-usage';
import { responseUsageReport } from '../../usage/usage-report';
import { type CalledTool, CallItem } from './call-item';
import { type ItemStatus, MessageItem } from './message-item';
import { ReasoningOutputItem } from './reasoning-output-item';
import { ResponseEvents } from './response-events';
import { type AnsweredCall, unchangingMembers } from './response-object';

const NONE: readonly unknown[] = [];

/** A tool call of the upstream. Its item begins with its name. */
export interface OpenCall {
  item: CallItem | null;
  /** Pieces of its input that came before its name. */
  readonly waiting: string[];
  hasEnded: boolean;
}

/** Why a response is incomplete. Null for a complete one. */
export type IncompleteReason = 'max_output_tokens' | 'content_filter' | null;

/**
 * Writes a responses stream. Reasoning and messages come one after another. Tool calls stay open beside each other,
 * because chat providers return to earlier ones. Methods return the byte text of the events to send now, and take texts
 * as JSON strings in byte text.
 */
export class ResponseWriter {
  readonly #events = new ResponseEvents();
  readonly #call: AnsweredCall;
  readonly #unchanging: string;
  /** The open item that is not a tool call. */
  #item: ReasoningOutputItem | MessageItem | null = null;
  #calls: OpenCall[] = [];
  #hasAnswer = false;

  constructor(call: AnsweredCall) {
    this.#call = call;
    this.#unchanging = inside(byteJson(unchangingMembers(call)));
  }

  /** Bytes of all text written. JSON escapes count as written. */
  get textBytes(): number {
    return this.#events.textBytes;
  }

  get nextSequenceNumber(): number {
    return this.#events.nextSequenceNumber;
  }

  /** The upstream's id of the answer, as far as ids may hold it. */
  get answerId(): string {
    return this.#events.answerId;
  }

  keepOutput(kept: KeptOutput | null): void {
    this.#events.keptOutput = kept;
  }

  begin(upstreamId: string): string {
    this.#events.setAnswerId(upstreamId === '' ? String(this.#call.createdAtSeconds) : upstreamId);
    const response = `"response":${this.#response('in_progress', null, null)}`;
    return (
      this.#events.write('response.created', response) + this.#events.write('response.in_progress', response)
    );
  }

  /** Begins an item of reasoning. */
  openReasoning(encryptedContent: string | null): string {
    return this.#beginReasoning(encryptedContent).begun;
  }

  /** A piece of the open reasoning. Where none is open, one begins. */
  reasoning(json: string, encryptedContent: string | null): string {
    if (this.#item instanceof ReasoningOutputItem) return this.#item.text(json);
    const { item, begun } = this.#beginReasoning(encryptedContent);
    return begun + item.text(json);
  }

  /** Sets what the provider needs to take the open reasoning back. */
  sealReasoning(encryptedContent: string | null): void {
    if (this.#item instanceof ReasoningOutputItem) this.#item.encryptedContent = encryptedContent;
  }

  text(json: string, logprobs = NONE): string {
    const { message, begun } = this.#openMessage();
    return begun + message.text(json, logprobs);
  }

  refusal(json: string): string {
    const { message, begun } = this.#openMessage();
    return begun + message.refusal(json);
  }

  annotation(annotation: unknown): string {
    const { message, begun } = this.#openMessage();
    return begun + message.annotation(annotation);
  }

  /** Nothing of the call is written before `nameCall`. */
  openCall(): OpenCall {
    const call = { item: null, waiting: [], hasEnded: false };
    this.#calls.push(call);
    return call;
  }

  nameCall(call: OpenCall, tool: CalledTool): string {
    const ended = this.#endItem('completed');
    this.#hasAnswer = true;
    const item = new CallItem(this.#events, tool);
    call.item = item;
    return ended + item.begin() + call.waiting.map((json) => item.input(json)).join('');
  }

  /** A piece of a tool's arguments or input. Null when it comes after the call's end. */
  callInput(call: OpenCall, json: string): string | null {
    if (call.hasEnded) return null;
    if (call.item !== null) return call.item.input(json);
    call.waiting.push(json);
    return '';
  }

  /** Ends all tool calls. One without a name is dropped. */
  endCalls(status: ItemStatus = 'completed'): string {
    let ended = '';
    for (const call of this.#calls) {
      call.hasEnded = true;
      const isLast = call.item?.index === this.#events.lastIndex;
      ended += call.item?.end(isLast ? status : 'completed') ?? '';
    }
    this.#calls = [];
    return ended;
  }

  /** Ends everything. `reason`: why the last item is incomplete. */
  end(reason: IncompleteReason): string {
    const status = statusOf(reason);
    // Agents ask again and again until an answer has a message or a call.
    const empty = reason === null && !this.#hasAnswer ? this.#emptyMessage() : '';
    return empty + this.#endItem(status) + this.endCalls(status);
  }

  /** The last event. `usage`: as the provider reported it. */
  lastEvent(reason: IncompleteReason, usage: TokenUsage | null, additions: AnswerAdditions): string {
    const response = this.response(reason, usage, additions.usage).slice(0, -1);
    const more = inside(byteJson(additionMembers(additions)));
    return this.#events.write(`response.${statusOf(reason)}`, `"response":${response},${more}}`);
  }

  /** The whole response, as JSON in byte text. `counted`: a usage report of the service, where it made one. */
  response(reason: IncompleteReason, usage: TokenUsage | null, counted?: unknown): string {
    const reported = usage === null ? null : responseUsageReport(usage);
    return this.#response(statusOf(reason), reason, counted ?? reported);
  }

  #response(status: ItemStatus | 'in_progress', reason: IncompleteReason, usage: unknown): string {
    const head = byteJson({
      id: `resp_${this.answerId}`,
      object: 'response',
      created_at: this.#call.createdAtSeconds,
      status,
      incomplete_details: reason === null ? null : { reason },
      model: this.#call.model,
    });
    const output = `"output":${this.#events.output}`;
    return `{${inside(head)},${output},${this.#unchanging},"usage":${byteJson(usage)}}`;
  }

  #beginReasoning(encryptedContent: string | null): {
    readonly item: ReasoningOutputItem;
    readonly begun: string;
  } {
    const ended = this.#endItem('completed');
    const item = new ReasoningOutputItem(this.#events, encryptedContent);
    this.#item = item;
    return { item, begun: ended + item.begin() };
  }

  #openMessage(): { readonly message: MessageItem; readonly begun: string } {
    if (this.#item instanceof MessageItem) return { message: this.#item, begun: '' };
    const ended = this.#endItem('completed');
    const message = new MessageItem(this.#events);
    this.#item = message;
    this.#hasAnswer = true;
    return { message, begun: ended + message.begin() };
  }

  #emptyMessage(): string {
    const { message, begun } = this.#openMessage();
    return begun + message.beginText();
  }

  #endItem(status: ItemStatus): string {
    const item = this.#item;
    this.#item = null;
    return item?.end(status) ?? '';
  }
}

const statusOf = (reason: IncompleteReason): ItemStatus => (reason === null ? 'completed' : 'incomplete');
