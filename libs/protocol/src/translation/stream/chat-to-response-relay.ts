import { type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson, parseByteJson } from '../../json/byte-json';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { inBandFailure } from '../../stream/in-band-failure';
import { KEEP_ALIVE_COMMENT } from '../../stream/service-frames';
import { readSseFrame } from '../../stream/sse-frame';
import { protocolViolation } from '../../stream/stream-relay';
import { usageOfChatCompletion } from '../../usage/chat-completion-usage';
import { type TokenUsage } from '../../usage/token-usage';
import { ChatAnswerToResponse } from '../answer/completion-to-response';
import { type AnsweredCall } from '../response/response-object';
import { recordIn, textIn } from '../untyped-json';
import { isTextAlone } from './text-alone';
import { ToResponseRelay } from './to-response-relay';

const TERMINATOR = '[DONE]';

/** Relays a chat-completions stream to a responses caller. */
export class ChatToResponseStreamRelay extends ToResponseRelay {
  usage: TokenUsage | null = null;
  readonly #answer: ChatAnswerToResponse;
  #finishReason: unknown = null;

  constructor(call: AnsweredCall) {
    super(call);
    this.#answer = new ChatAnswerToResponse(this.writer, this.collected);
  }

  protected takeFrame(frame: string): string {
    const { event, data } = readSseFrame(frame);
    if (data === null) return this.started ? KEEP_ALIVE_COMMENT : '';
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
    if (isTextAlone(chunk, choice) && (choice['logprobs'] ?? null) === null) {
      this.textFrame.learn(frame, 'content', byteJson(recordIn(choice['delta'])['content']));
    }
    return this.begin(textIn(chunk['id'])) + this.#takeChoice(choice);
  }

  protected close(rest: string): boolean {
    if (readSseFrame(rest).data === TERMINATOR) return this.started;
    // Several compatible servers send no terminator.
    return rest.trim() === '' && this.#finishReason !== null;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const ended = this.#answer.end(this.#finishReason);
    return ended + this.lastEvent(this.#answer.incompleteReason, additions);
  }

  #takeChoice({ delta, logprobs, finish_reason: finishReason }: JsonRecord): string {
    const told = isRecord(delta) ? this.#answer.take(delta, logprobs) : '';
    if ((finishReason ?? null) === null) return told;
    this.#finishReason = finishReason;
    return told + this.#answer.end(finishReason);
  }
}
