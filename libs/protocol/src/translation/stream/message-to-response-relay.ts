import { type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson } from '../../json/byte-json';
import { type JsonRecord } from '../../json/byte-text';
import { MessageStreamReader } from '../../stream/message-stream-reader';
import { KEEP_ALIVE_COMMENT } from '../../stream/service-frames';
import { type TokenUsage } from '../../usage/token-usage';
import { MessageToResponse } from '../answer/message-to-response';
import { type AnsweredCall } from '../response/response-object';
import { textIn } from '../untyped-json';
import { ToResponseRelay } from './to-response-relay';

/** Relays a messages stream to a responses caller. Each thinking block is an item, so that it keeps its signature. */
export class MessageToResponseStreamRelay extends ToResponseRelay {
  readonly #reader = new MessageStreamReader();
  readonly #answer: MessageToResponse;

  constructor(call: AnsweredCall) {
    super(call);
    this.#answer = new MessageToResponse(this.writer, this.collected);
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reader.usage;
  }

  protected override reportsAnswer(): boolean {
    return this.#reader.reportsAnswer;
  }

  protected takeFrame(frame: string): string {
    const read = this.#reader.read(frame);
    switch (read.kind) {
      case 'comment':
        return '';
      case 'ping':
        return this.started ? KEEP_ALIVE_COMMENT : '';
      case 'failure':
        return this.fail(read.failure);
      case 'start':
        return this.begin(textIn(read.message['id']));
      case 'terminator':
        return this.terminate();
      case 'block_start':
        return this.#answer.beginBlock(read.block);
      case 'block_delta':
        this.#learn(frame, read.delta);
        return this.#answer.takeDelta(read.delta);
      case 'block_stop':
        return this.#answer.endBlock();
    }
  }

  protected isWhole(): boolean {
    return false;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const ended = this.#answer.end(this.#reader.ending);
    return ended + this.lastEvent(this.#answer.incompleteReason, additions);
  }

  #learn(frame: string, { type, text }: JsonRecord): void {
    if (type === 'text_delta') this.textFrame.learn(frame, 'text', byteJson(text));
  }
}
