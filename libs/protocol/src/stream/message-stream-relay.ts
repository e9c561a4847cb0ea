import { additionEdits, type AnswerAdditions, editsWithUsage } from '../answer/answer-additions';
import { FAILED, stopReasonIn, withoutPhantomCall } from '../answer/finish-reason';
import { isRecord } from '../json/byte-text';
import { type MemberEdit } from '../json/splice';
import { placeInFrame, type TextPlace } from '../output/kept-output';
import { MessageUsageReports } from '../usage/message-usage';
import { type TokenUsage } from '../usage/token-usage';
import { brokenOffAnswer, errorEventFailure } from './in-band-failure';
import {
  jsonStringBytes,
  parseFrameData,
  readSseFrame,
  spliceByteText,
  spliceInside,
  writeSseFrame,
} from './sse-frame';
import { protocolViolation, FrameRelay } from './stream-relay';

const TERMINATOR = 'message_stop';
const NO_USAGE = { input_tokens: 0, output_tokens: 0 };
/** In the types of all blocks that call a tool, also one of the provider's. */
const TOOL_USE = 'tool_use';
const GENERATED_TEXT = /"(?:text|partial_json|thinking)"\s*:\s*"/;

/**
 * Relays a messages stream. Only the frames that begin the message, report usage or end it are parsed. The others pass
 * unchanged. Frames are withheld from a stop reason on, because `message_delta` carries the additions
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export class MessageStreamRelay extends FrameRelay {
  readonly #callersModel: string;
  readonly #reports = new MessageUsageReports();
  #calledTools = false;
  /** The last frame with text, up to its text. The next frames mostly have the same prefix. */
  #repeatedPrefix = '';
  #repeatedPlace: TextPlace | null = null;
  #held: string[] = [];
  /** Index of the last `message_delta` in the held frames. */
  #carrier = 0;

  /** `model`: the caller's name of it. */
  constructor(call: { readonly model: string }) {
    super();
    this.#callersModel = JSON.stringify(call.model);
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reports.usage;
  }

  protected override reportsAnswer(): boolean {
    return this.#reports.isWhole;
  }

  protected take(frame: string): string {
    // Not `startsWith`: V8 compares that one character at a time.
    if (this.#repeatedPrefix !== '' && frame.slice(0, this.#repeatedPrefix.length) === this.#repeatedPrefix) {
      this.#countTextAt(frame, this.#repeatedPrefix.length);
      return this.#pass(frame);
    }
    const { event, data } = readSseFrame(frame);
    if (data === null) return '';
    switch (event) {
      case 'message_start':
        return this.#takeStart(data);
      case 'message_delta':
        return this.#takeDelta(frame, data);
      case 'error':
        return this.fail(errorEventFailure(data));
      case 'content_block_start':
        this.#calledTools ||= frame.includes(TOOL_USE);
        break;
      case 'content_block_delta':
        this.#countText(frame);
    }
    if (event === 'ping') return this.started ? this.#pass(frame) : '';
    if (!this.started) return this.fail(protocolViolation);
    if (event !== TERMINATOR) return this.#pass(frame);
    return this.#takeStop(data);
  }

  protected isWhole(): boolean {
    return false;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const { event, data } = readSseFrame(this.#held[this.#carrier] ?? '');
    this.#held[this.#carrier] = writeSseFrame({
      event,
      data: spliceByteText(
        data ?? '{}',
        event === 'message_delta' ? editsWithUsage(additions) : additionEdits(additions),
      ),
    });
    return this.#held.join('');
  }

  #pass(frame: string): string {
    if (this.#held.length === 0) return frame;
    this.#held.push(frame);
    return '';
  }

  #takeStart(data: string): string {
    const message = parseFrameData(data)?.['message'];
    if (!isRecord(message)) return this.fail(protocolViolation);
    this.started = true;
    this.#reports.begin(message['usage']);
    const edits: MemberEdit[] = [['model', this.#callersModel]];
    // Clients read the counters without a check. Those of an answer that is counted come with its end.
    if (this.keptOutput !== null && !isRecord(message['usage']))
      edits.push(['usage', JSON.stringify(NO_USAGE)]);
    return this.#pass(
      writeSseFrame({ event: 'message_start', data: spliceInside(data, 'message', edits) ?? data }),
    );
  }

  #takeDelta(frame: string, data: string): string {
    const event = parseFrameData(data);
    const delta = event?.['delta'];
    if (!this.started || event === null || !isRecord(delta)) return this.fail(protocolViolation);
    this.#reports.add(event['usage']);
    const stopReason = withoutPhantomCall(stopReasonIn(delta), this.#calledTools);
    if (stopReason === FAILED) return this.fail(brokenOffAnswer(event['error'] ?? delta['error']));
    if (this.#held.length === 0 && stopReason === null) return frame;
    const isUsual = stopReason === null || stopReason === delta['stop_reason'];
    this.#carrier = this.#held.push(isUsual ? frame : withStopReason(data, stopReason)) - 1;
    return '';
  }

  #takeStop(data: string): '' {
    if (parseFrameData(data) === null) return this.fail(protocolViolation);
    this.#held.push(writeSseFrame({ event: TERMINATOR, data }));
    return this.terminate();
  }

  #countText(frame: string): void {
    const found = GENERATED_TEXT.exec(frame);
    if (found === null) return;
    const textStart = found.index + found[0].length;
    this.#repeatedPrefix = frame.slice(0, textStart);
    if (this.keptOutput !== null) this.#repeatedPlace = placeInFrame(frame, textStart);
    this.#countTextAt(frame, textStart);
  }

  #countTextAt(frame: string, textStart: number): void {
    const textBytes = jsonStringBytes(frame, textStart - 1);
    this.outputBytes += textBytes;
    if (this.#repeatedPlace !== null)
      this.keptOutput?.add(this.#repeatedPlace, frame.slice(textStart, textStart + textBytes));
  }
}

function withStopReason(data: string, stopReason: string): string {
  const edited = spliceInside(data, 'delta', [['stop_reason', JSON.stringify(stopReason)]]);
  return writeSseFrame({ event: 'message_delta', data: edited ?? data });
}
