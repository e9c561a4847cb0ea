import { type AnswerAdditions, editsWithUsage } from '../answer/answer-additions';
import { UNFINISHED } from '../answer/response-status';
import { parseByteJson } from '../json/byte-json';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type MemberEdit } from '../json/splice';
import { type TextPlace } from '../output/kept-output';
import { usageOfResponse } from '../usage/response-usage';
import { type TokenUsage } from '../usage/token-usage';
import { responseErrorFailure, responseFailure } from './response-failure';
import { jsonStringBytes, readSseFrame, spliceInside, writeSseFrame } from './sse-frame';
import { protocolViolation, FrameRelay } from './stream-relay';

/** The start of a piece of generated text. Quotes inside JSON strings are escaped, so text cannot look like it. */
const DELTA = /"delta"\s*:\s*"/g;
const ITEM_INDEX = /"output_index"\s*:\s*(\d+)/;
const CONTENT_INDEX = /"content_index"\s*:\s*(\d+)/;
const SUMMARY_INDEX = /"summary_index"\s*:\s*(\d+)/;
const NAME = 'event: ';
const TERMINAL: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);
/** Events with the whole response, before its output. */
const BEGINNING: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
]);

/**
 * Relays a stream of OpenAI's responses. Only events that hold the whole response, and errors, are parsed. The others
 * pass unchanged, those of unknown types too. The terminal event is withheld, because its response carries the additions
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export class ResponseStreamRelay extends FrameRelay {
  reportedSoFar: TokenUsage | null = null;
  readonly #model: MemberEdit;
  #wasCreated = false;
  #lastPassed = '';
  #terminal = { event: '', data: '{}' };

  /** `model`: the caller's name of it. */
  constructor(call: { readonly model: string }) {
    super();
    this.#model = ['model', JSON.stringify(call.model)];
  }

  override nextSequenceNumber(): number {
    const [, last] = /"sequence_number"\s*:\s*(\d+)/.exec(this.#lastPassed) ?? [];
    return last === undefined ? 0 : Number(last) + 1;
  }

  protected take(frame: string): string {
    const nameEnd = frame.indexOf('\n');
    if (this.started && frame.slice(nameEnd - 6, nameEnd) === '.delta') {
      this.#countDelta(frame, nameEnd, frame.slice(NAME.length, nameEnd));
      return this.#pass(frame);
    }
    const { event, data } = readSseFrame(frame);
    if (data === null) return '';
    const type = typeOf(event, data);
    if (type === 'error') return this.fail(responseErrorFailure(parseByteJson(data)));
    if (type === null) return this.fail(protocolViolation);
    if (!type.startsWith('response.')) return this.#pass(frame);
    if (BEGINNING.has(type)) return this.#takeBeginning(event, data);
    if (!this.#wasCreated) return this.fail(protocolViolation);
    if (type === 'response.failed') return this.fail(responseFailure(responseIn(data)?.['error']));
    if (TERMINAL.has(type)) return this.#takeTerminal(event, data);
    this.started = true;
    if (type.endsWith('.delta')) this.#countDelta(frame, 0, type);
    return this.#pass(frame);
  }

  protected isWhole(): boolean {
    return false;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const { event, data } = this.#terminal;
    const edits = [this.#model, ...editsWithUsage(additions)];
    return writeSseFrame({ event, data: spliceInside(data, 'response', edits) ?? data });
  }

  #pass(frame: string): string {
    this.#lastPassed = frame;
    return frame;
  }

  #takeBeginning(event: string, data: string): string {
    // It repeats the call's instructions and tools, so it is not parsed.
    const renamed = spliceInside(data, 'response', [this.#model]);
    if (renamed === null) return this.fail(protocolViolation);
    this.#wasCreated = true;
    return this.#pass(writeSseFrame({ event, data: renamed }));
  }

  #takeTerminal(event: string, data: string): '' {
    const response = responseIn(data);
    if (response === null) return this.fail(protocolViolation);
    if (UNFINISHED.has(response['status'])) return this.fail(responseFailure(response['error']));
    this.reportedSoFar = usageOfResponse(response['usage']);
    this.#terminal = { event, data };
    this.started = true;
    return this.terminate();
  }

  #countDelta(frame: string, from: number, type: string): void {
    DELTA.lastIndex = from;
    if (!DELTA.test(frame)) return;
    const textStart = DELTA.lastIndex;
    const textBytes = jsonStringBytes(frame, textStart - 1);
    this.outputBytes += textBytes;
    this.keptOutput?.add(placeOf(frame, type), frame.slice(textStart, textStart + textBytes));
  }
}

/** Some servers leave the name of the event out. Null for data that is no event. */
function typeOf(event: string, data: string): string | null {
  if (event === 'error' || event.startsWith('response.')) return event;
  const type = parseByteJson(data)?.['type'];
  return typeof type === 'string' ? type : null;
}

function responseIn(data: string): JsonRecord | null {
  const response = parseByteJson(data)?.['response'];
  return isRecord(response) ? response : null;
}

/** `response.<member>.delta`; the indexes tell texts of the same kind apart. */
function placeOf(frame: string, type: string): TextPlace {
  const member = type.slice(type.indexOf('.') + 1, type.lastIndexOf('.'));
  const partIndex = member === 'reasoning_summary_text' ? SUMMARY_INDEX : CONTENT_INDEX;
  return { member, at: `${ITEM_INDEX.exec(frame)?.[1] ?? ''},${partIndex.exec(frame)?.[1] ?? ''}` };
}
