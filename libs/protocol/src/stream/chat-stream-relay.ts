import { additionEdits, type AnswerAdditions } from '../answer/answer-additions';
import { encodeUtf8, fromByteText, isRecord, toByteText } from '../json/byte-text';
import { type MemberEdits } from '../json/splice';
import { topLevelMembers } from '../json/top-level-members';
import { placeInFrame, type TextPlace } from '../output/kept-output';
import { usageOfChatCompletion } from '../usage/chat-completion-usage';
import { type TokenUsage } from '../usage/token-usage';
import { inBandFailure } from './in-band-failure';
import { jsonStringBytes, parseFrameData, readSseFrame, spliceByteText, writeSseFrame } from './sse-frame';
import { protocolViolation, FrameRelay } from './stream-relay';

const TERMINATOR = '[DONE]';

/**
 * Members that require a frame to be parsed (the first group) and members with generated text, each with the first
 * character of a value that is not null. Quotes inside JSON strings are escaped, so text cannot look like a member.
 */
const SCANNED_MEMBERS =
  /"(?:(error|usage|finish_reason)|content|refusal|reasoning_content|reasoning|arguments|input|transcript)"\s*:\s*([^n\s])/g;

/**
 * Relays a chat-completions stream. Only frames with a finish reason, usage or an error are parsed. The others pass
 * unchanged except for the model's name. Frames are withheld from a finish reason on, because the additions go onto the
 * last frame with a finish reason or usage (docs/reference/inference-and-compatibility.md#streaming).
 */
export class ChatStreamRelay extends FrameRelay {
  usage: TokenUsage | null = null;
  readonly #callersModel: string;
  readonly #usageRequested: boolean;
  readonly #choices: number;
  readonly #finishedChoices = new Set<unknown>();
  /** The member `model` as the upstream writes it in every frame. */
  #upstreamsModel = '';
  /** The last frame with text, up to its text, and the same prefix with the caller's name of the model. */
  #repeatedPrefix = '';
  #callersPrefix = '';
  #repeatedPlace: TextPlace | null = null;
  /** A frame with a finish reason and the frames without a choice after it. */
  #held: string[] = [];
  #usageFrame: string | null = null;

  /** `model`: the caller's name of it. `choices`: the number of requested answers. */
  constructor(call: { readonly model: string; readonly usageRequested: boolean; readonly choices: number }) {
    super();
    this.#callersModel = toByteText(encodeUtf8(`"model":${JSON.stringify(call.model)}`));
    this.#usageRequested = call.usageRequested;
    this.#choices = call.choices;
  }

  protected take(frame: string): string {
    // Not `startsWith`: V8 compares that one character at a time.
    if (
      this.#repeatedPrefix !== '' &&
      this.#held.length === 0 &&
      frame.slice(0, this.#repeatedPrefix.length) === this.#repeatedPrefix
    ) {
      return this.#takeRepeated(frame);
    }
    const { event, data } = readSseFrame(frame);
    if (data === null) return '';
    if (data === TERMINATOR) {
      if (!this.started) return this.fail(protocolViolation);
      this.state = 'complete';
      return '';
    }
    const mustParse =
      this.#countText(frame, 0) || event === 'error' || !this.started || this.#held.length > 0;
    return (mustParse ? null : this.#withCallersModel(frame)) ?? this.#takeParsed(frame, event, data);
  }

  protected close(rest: string): boolean {
    if (readSseFrame(rest).data === TERMINATOR) return this.started;
    // Several compatible servers send no terminator.
    return rest.trim() === '' && this.#finishedChoices.size >= this.#choices;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const frames = [...this.#held];
    let carrier = 0;
    const usageFrame = additions.usage === undefined ? this.#usageFrame : this.#frameOfUsage(additions.usage);
    if (usageFrame !== null && this.#usageRequested) carrier = frames.push(usageFrame) - 1;
    // An upstream may send the terminator without a finish reason.
    const { event, data } = readSseFrame(frames[carrier] ?? '');
    const chunk = spliceByteText(data ?? this.#emptyChunk(), additionEdits(additions));
    frames[carrier] = writeSseFrame({ event, data: chunk });
    return `${frames.join('')}data: ${TERMINATOR}\n\n`;
  }

  /** Has the members that all chunks of the answer have. */
  #frameOfUsage(usage: unknown): string {
    const { data } = readSseFrame(this.#held[0] ?? '');
    const edits: MemberEdits = [
      ['choices', '[]'],
      ['usage', JSON.stringify(usage)],
    ];
    return writeSseFrame({ event: '', data: spliceByteText(data ?? this.#emptyChunk(), edits) });
  }

  #emptyChunk(): string {
    return `{"object":"chat.completion.chunk",${this.#callersModel},"choices":[]}`;
  }

  /** Takes a frame with the same prefix as the last one: only its text and the rest can differ. */
  #takeRepeated(frame: string): string {
    const from = this.#repeatedPrefix.length;
    const textBytes = jsonStringBytes(frame, from - 1);
    this.outputBytes += textBytes;
    if (this.#repeatedPlace !== null)
      this.keptOutput?.add(this.#repeatedPlace, frame.slice(from, from + textBytes));
    if (!this.#countText(frame, from + textBytes + 1)) return this.#callersPrefix + frame.slice(from);
    const { event, data } = readSseFrame(frame);
    return this.#takeParsed(frame, event, data ?? '');
  }

  /** Counts generated text. Returns whether the frame must be parsed. */
  #countText(frame: string, from: number): boolean {
    let mustParse = false;
    let isPrefix = from === 0;
    SCANNED_MEMBERS.lastIndex = from;
    for (let found = SCANNED_MEMBERS.exec(frame); found !== null; found = SCANNED_MEMBERS.exec(frame)) {
      if (found[1] !== undefined) {
        mustParse = true;
        isPrefix = false;
      } else if (found[2] === '"') {
        const textStart = SCANNED_MEMBERS.lastIndex;
        const textBytes = jsonStringBytes(frame, textStart - 1);
        this.outputBytes += textBytes;
        if (this.keptOutput !== null) {
          const text = frame.slice(textStart, textStart + textBytes);
          this.keptOutput.add(placeInFrame(frame, textStart), text);
        }
        SCANNED_MEMBERS.lastIndex = textStart + textBytes + 1;
        if (isPrefix) this.#learnPrefix(frame.slice(0, textStart));
        isPrefix = false;
      }
    }
    return mustParse;
  }

  #learnPrefix(prefix: string): void {
    const forCaller = this.#withCallersModel(prefix);
    this.#repeatedPrefix = forCaller === null ? '' : prefix;
    this.#callersPrefix = forCaller ?? '';
    if (this.keptOutput !== null) this.#repeatedPlace = placeInFrame(prefix, prefix.length);
  }

  #takeParsed(frame: string, event: string, data: string): string {
    const chunk = parseFrameData(data);
    if (chunk === null) return this.fail(protocolViolation);
    if (event === 'error' || Boolean(chunk['error'])) {
      return this.fail(inBandFailure(chunk['error'] ?? chunk));
    }
    const choices: unknown = chunk['choices'];
    if (!Array.isArray(choices)) return this.fail(protocolViolation);
    this.#learnModel(frame, data);
    const renamed = this.#withCallersModel(frame) ?? frame;
    if (isRecord(chunk['usage'])) {
      this.usage = usageOfChatCompletion(chunk['usage']) ?? this.usage;
      if (choices.length === 0) {
        this.#usageFrame = renamed;
        return '';
      }
      if (!this.#usageRequested) return this.#holdOrPass(withoutUsage(renamed), choices);
    }
    return this.#holdOrPass(renamed, choices);
  }

  #holdOrPass(frame: string, choices: readonly unknown[]): string {
    const finished = choices.filter(isRecord).filter((choice) => (choice['finish_reason'] ?? null) !== null);
    for (const choice of finished) this.#finishedChoices.add(choice['index']);
    if (choices.length === 0 && this.#held.length > 0) {
      this.#held.push(frame);
      return '';
    }
    const released = this.#held.join('');
    this.#held = finished.length > 0 ? [frame] : [];
    this.started ||= choices.length > 0;
    return finished.length > 0 ? released : released + frame;
  }

  #learnModel(frame: string, data: string): void {
    if (this.#upstreamsModel !== '' && frame.includes(this.#upstreamsModel)) return;
    const { members } = topLevelMembers(fromByteText(data));
    const model = members.find(({ key }) => key === 'model');
    if (model !== undefined) this.#upstreamsModel = data.slice(model.keyStart, model.valueEnd);
  }

  /** Null when the frame does not contain the remembered member `model`. */
  #withCallersModel(frame: string): string | null {
    const at = this.#upstreamsModel === '' ? -1 : frame.indexOf(this.#upstreamsModel);
    if (at === -1) return null;
    return frame.slice(0, at) + this.#callersModel + frame.slice(at + this.#upstreamsModel.length);
  }
}

/** Some upstreams put the usage into chunks with a choice, where a caller that did not ask for it would see it. */
function withoutUsage(frame: string): string {
  const { event, data } = readSseFrame(frame);
  return writeSseFrame({ event, data: spliceByteText(data ?? '{}', [['usage', null]]) });
}
