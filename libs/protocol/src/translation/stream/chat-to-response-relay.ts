import { type AnswerAdditions } from '../../answer/answer-additions';
import { byteJson } from '../../json/byte-json';
import { ChatStreamReader, type ChunkChoice } from '../../stream/chat-stream-reader';
import { KEEP_ALIVE_COMMENT } from '../../stream/service-frames';
import { type TokenUsage } from '../../usage/token-usage';
import { ChatAnswerToResponse } from '../answer/completion-to-response';
import { type AnsweredCall } from '../response/response-object';
import { textIn } from '../untyped-json';
import { isTextAlone } from './text-alone';
import { ToResponseRelay } from './to-response-relay';

/** Relays a chat-completions stream to a responses caller. */
export class ChatToResponseStreamRelay extends ToResponseRelay {
  readonly #reader = new ChatStreamReader();
  readonly #answer: ChatAnswerToResponse;
  #finishReason: string | null = null;

  constructor(call: AnsweredCall) {
    super(call);
    this.#answer = new ChatAnswerToResponse(this.writer, this.collected);
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reader.usage;
  }

  protected takeFrame(frame: string): string {
    const read = this.#reader.read(frame);
    if (read.kind === 'comment') return this.started ? KEEP_ALIVE_COMMENT : '';
    if (read.kind === 'terminator') return this.terminate();
    if (read.kind === 'failure') return this.fail(read.failure);
    const [choice] = read.choices ?? [];
    if (choice === undefined) return '';
    if (isTextAlone(read.chunk, choice) && (choice.choice['logprobs'] ?? null) === null) {
      this.textFrame.learn(frame, 'content', byteJson(choice.delta['content']));
    }
    return this.begin(textIn(read.chunk['id'])) + this.#takeChoice(choice);
  }

  protected isWhole(): boolean {
    // Several compatible servers send no terminator.
    return this.#finishReason !== null;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const ended = this.#answer.end(this.#finishReason);
    return ended + this.lastEvent(this.#answer.incompleteReason, additions);
  }

  #takeChoice({ choice, delta, finishReason }: ChunkChoice): string {
    const told = this.#answer.take(delta, choice['logprobs']);
    if (finishReason === null) return told;
    this.#finishReason = finishReason;
    return told + this.#answer.end(finishReason);
  }
}
