import { additionEdits, type AnswerAdditions, editsWithUsage } from '../answer/answer-additions';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type MemberEdit } from '../json/splice';
import { placeInFrame, type TextPlace } from '../output/kept-output';
import { laterMessageUsage, usageOfMessage } from '../usage/message-usage';
import { type TokenUsage } from '../usage/token-usage';
import { inBandFailure } from './in-band-failure';
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
const GENERATED_TEXT = /"(?:text|partial_json|thinking)"\s*:\s*"/;

/**
 * Relays a messages stream. Only the frames that begin the message, report usage or end it are parsed. The others pass
 * unchanged. Frames are withheld from a stop reason on, because `message_delta` carries the additions
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export class MessageStreamRelay extends FrameRelay {
  readonly #callersModel: string;
  #usageReport: JsonRecord = {};
  #hasLastReport = false;
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

  get usage(): TokenUsage | null {
    // Where the output is kept, counters of the start alone are no report of the answer.
    return this.keptOutput === null || this.#hasLastReport ? usageOfMessage(this.#usageReport) : null;
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
        return this.fail(inBandFailure(parseFrameData(data)?.['error']));
      case 'content_block_delta':
        this.#countText(frame);
    }
    if (event === 'ping') return this.started ? this.#pass(frame) : '';
    if (!this.started) return this.fail(protocolViolation);
    if (event !== TERMINATOR) return this.#pass(frame);
    if (!this.#takeStop(data)) return this.fail(protocolViolation);
    this.state = 'complete';
    return '';
  }

  protected close(rest: string): boolean {
    const { event, data } = readSseFrame(rest);
    return this.started && event === TERMINATOR && data !== null && this.#takeStop(data);
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
    this.#usageReport = laterMessageUsage(this.#usageReport, message['usage']);
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
    this.#usageReport = laterMessageUsage(this.#usageReport, event['usage']);
    this.#hasLastReport ||= isRecord(event['usage']);
    if (this.#held.length === 0 && (delta['stop_reason'] ?? null) === null) return frame;
    this.#carrier = this.#held.push(frame) - 1;
    return '';
  }

  #takeStop(data: string): boolean {
    if (parseFrameData(data) === null) return false;
    this.#held.push(writeSseFrame({ event: TERMINATOR, data }));
    return true;
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
