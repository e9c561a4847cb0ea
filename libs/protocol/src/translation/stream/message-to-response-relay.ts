import { type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson, parseByteJson } from '../../json/byte-json';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { inBandFailure } from '../../stream/in-band-failure';
import { KEEP_ALIVE_COMMENT } from '../../stream/service-frames';
import { readSseFrame } from '../../stream/sse-frame';
import { protocolViolation } from '../../stream/stream-relay';
import { laterMessageUsage, usageOfMessage } from '../../usage/message-usage';
import { type TokenUsage } from '../../usage/token-usage';
import { MessageToResponse } from '../answer/message-to-response';
import { type AnsweredCall } from '../response/response-object';
import { recordIn, textIn } from '../untyped-json';
import { ToResponseRelay } from './to-response-relay';

/** Relays a messages stream to a responses caller. Each thinking block is an item, so that it keeps its signature. */
export class MessageToResponseStreamRelay extends ToResponseRelay {
  readonly #answer: MessageToResponse;
  #usageReport: JsonRecord = {};
  #hasLastReport = false;
  /** `stop_reason` and its related members of the last `message_delta`. */
  #ending: JsonRecord = {};

  constructor(call: AnsweredCall) {
    super(call);
    this.#answer = new MessageToResponse(this.writer, this.collected);
  }

  get usage(): TokenUsage | null {
    // Where the output is kept, counters of the start alone are no report of the answer.
    return this.keptOutput === null || this.#hasLastReport ? usageOfMessage(this.#usageReport) : null;
  }

  protected takeFrame(frame: string): string {
    const { event, data } = readSseFrame(frame);
    if (data === null) return '';
    const content = parseByteJson(data);
    if (event === 'error') return this.fail(inBandFailure(content?.['error']));
    if (content === null) return this.fail(protocolViolation);
    if (event === 'ping') return this.started ? KEEP_ALIVE_COMMENT : '';
    if (event === 'message_start') return this.#start(content['message']);
    if (!this.started) return this.fail(protocolViolation);
    const { type, text } = recordIn(content['delta']);
    if (type === 'text_delta') this.textFrame.learn(frame, 'text', byteJson(text));
    return this.#takeEvent(event, content);
  }

  protected close(rest: string): boolean {
    const { event, data } = readSseFrame(rest);
    return this.started && event === 'message_stop' && data !== null && parseByteJson(data) !== null;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const ended = this.#answer.end(this.#ending);
    return ended + this.lastEvent(this.#answer.incompleteReason, additions);
  }

  #start(message: unknown): string {
    if (!isRecord(message)) return this.fail(protocolViolation);
    this.#usageReport = laterMessageUsage(this.#usageReport, message['usage']);
    return this.begin(textIn(message['id']));
  }

  #takeEvent(event: string, content: JsonRecord): string {
    switch (event) {
      case 'content_block_start':
        return this.#answer.beginBlock(recordIn(content['content_block']));
      case 'content_block_delta':
        return this.#answer.takeDelta(recordIn(content['delta']));
      case 'content_block_stop':
        return this.#answer.endBlock();
      case 'message_delta':
        this.#usageReport = laterMessageUsage(this.#usageReport, content['usage']);
        this.#hasLastReport ||= isRecord(content['usage']);
        if (!isRecord(content['delta'])) return this.fail(protocolViolation);
        this.#ending = { ...this.#ending, ...content['delta'] };
        return '';
      case 'message_stop':
        this.state = 'complete';
    }
    return '';
  }
}
