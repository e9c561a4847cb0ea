import { byteJson, parseByteJson } from '../../json/byte-json';
import { type JsonRecord } from '../../json/byte-text';
import { jsonTextOf } from '../../output/arguments-text';
import { type TokenUsage } from '../../usage/token-usage';
import { CallIds } from '../call-ids';
import { type Losses } from '../loss';
import { reasoningDetailOf } from '../reasoning';
import { encryptedContentOf } from '../reasoning-item';
import { type AnsweredCall } from '../response/response-object';
import { type IncompleteReason, type OpenCall, ResponseWriter } from '../response/response-writer';
import { finishReasonOf } from '../stop-reason';
import { argumentsOfInput } from '../tool-arguments';
import { forEachRecord, textIn } from '../untyped-json';
import { incompleteReasonOf } from './completion-to-response';
import { answerBlock, CITATIONS, hasCitations, refusalOf } from './message-to-completion';

/** Translates a message to a response. */
export function messageToResponse(
  message: JsonRecord,
  usage: TokenUsage | null,
  call: AnsweredCall,
  losses: Losses,
): JsonRecord | null {
  const writer = new ResponseWriter(call);
  const answer = new MessageToResponse(writer, losses);
  writer.begin(textIn(message['id']));
  // A whole answer is a stream of blocks that begin with all that they have.
  forEachRecord(
    message['content'],
    '',
    (block) => {
      answer.beginBlock(block);
      answer.endBlock();
    },
    () => undefined,
  );
  answer.end(message);
  return parseByteJson(writer.response(answer.incompleteReason, usage));
}

/** Tells a writer of responses the blocks of a message, one after another. Methods return the events to send now. */
export class MessageToResponse {
  incompleteReason: IncompleteReason = null;
  readonly #writer: ResponseWriter;
  readonly #losses: Losses;
  #block: JsonRecord = {};
  #signature = '';
  #call: OpenCall | null = null;
  readonly #ids = new CallIds();
  #hasInput = false;

  constructor(writer: ResponseWriter, losses: Losses) {
    this.#writer = writer;
    this.#losses = losses;
  }

  beginBlock(block: JsonRecord): string {
    const ended = this.#writer.endCalls();
    this.#block = block;
    this.#signature = textIn(block['signature']);
    this.#hasInput = false;
    switch (block['type']) {
      case 'text':
        if (hasCitations(block)) this.#losses.omit(CITATIONS);
        return ended + this.text(textIn(block['text']));
      case 'thinking':
      case 'redacted_thinking':
        return (
          ended +
          this.#writer.openReasoning(this.#encryptedContent()) +
          this.thinking(textIn(block['thinking']))
        );
      case 'tool_use':
        return ended + this.#beginCall(block);
      default:
        this.#losses.omit(answerBlock(block));
        return ended;
    }
  }

  takeDelta(delta: JsonRecord): string {
    switch (delta['type']) {
      case 'text_delta':
        return this.text(textIn(delta['text']));
      case 'thinking_delta':
        return this.thinking(textIn(delta['thinking']));
      case 'signature_delta':
        this.#signature += textIn(delta['signature']);
        return '';
      case 'input_json_delta':
        return this.#input(jsonTextOf(delta['partial_json']));
      case 'citations_delta':
        this.#losses.omit(CITATIONS);
    }
    return '';
  }

  /** The block's item ends with what follows, because only a message's end tells whether its last item is incomplete. */
  endBlock(): string {
    const { type, input } = this.#block;
    if (type === 'thinking') this.#writer.sealReasoning(this.#encryptedContent());
    // Some upstreams send the whole input with the start of the block. Without any input clients need an empty object.
    const hasAllInput = type !== 'tool_use' || this.#hasInput;
    this.#block = {};
    return hasAllInput ? '' : this.#input(argumentsOfInput(input));
  }

  /** `ending`: the members of a message that tell why it ended. */
  end(ending: JsonRecord): string {
    const refusal = refusalOf(ending);
    const told = refusal === null ? '' : this.#writer.refusal(byteJson(refusal));
    this.incompleteReason = incompleteReasonOf(
      finishReasonOf(ending['stop_reason'], { asFunctionCall: false, calledTools: this.#call !== null }),
    );
    return told + this.#writer.end(this.incompleteReason);
  }

  text(text: string): string {
    return text === '' ? '' : this.#writer.text(byteJson(text));
  }

  thinking(text: string): string {
    return text === '' ? '' : this.#writer.reasoning(byteJson(text), null);
  }

  #beginCall({ id, name }: JsonRecord): string {
    this.#call = this.#writer.openCall();
    const callId = this.#ids.next(textIn(id), this.#writer.answerId);
    return this.#writer.nameCall(this.#call, { callId, name: textIn(name), isCustom: false });
  }

  #input(json: string): string {
    if (json === '' || this.#call === null) return '';
    this.#hasInput = true;
    return this.#writer.callInput(this.#call, byteJson(json)) ?? '';
  }

  /** The data that the block's provider needs to take it back. */
  #encryptedContent(): string | null {
    const detail = reasoningDetailOf({ ...this.#block, signature: this.#signature }, 0);
    return detail === null ? null : encryptedContentOf(detail);
  }
}
