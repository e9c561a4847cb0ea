import { additionEdits, type AnswerAdditions } from '../answer/answer-additions';
import { encodeUtf8, fromByteText, isRecord, toByteText } from '../json/byte-text';
import { topLevelMembers } from '../json/top-level-members';
import { usageOfChatCompletion } from '../usage/chat-completion-usage';
import { type TokenUsage } from '../usage/token-usage';
import { inBandFailure } from './in-band-failure';
import { jsonStringBytes, parseFrameData, readSseFrame, spliceByteText, writeSseFrame } from './sse-frame';
import { brokenProtocol, FrameRelay } from './stream-relay';

const TERMINATOR = '[DONE]';

/**
 * Members that decide what becomes of a frame (the first group), and generated text, each with the first
 * character of a value that is not null. Quotes inside JSON strings are escaped, so text can't look like a member.
 */
const TELLING_MEMBERS =
  /"(?:(error|usage|finish_reason)|content|refusal|reasoning_content|reasoning|arguments|input|transcript)"\s*:\s*([^n\s])/g;

/**
 * Relays a chat-completions stream. Frames pass untouched but for the model's name; only those that carry a
 * finish reason, usage or an error are parsed. From a finish reason on, frames are kept back, because the last
 * one that carries a finish reason or usage carries the additions too (contract.md section 5).
 */
export class ChatStreamRelay extends FrameRelay {
  usage: TokenUsage | null = null;
  readonly #callersModel: string;
  readonly #usageRequested: boolean;
  readonly #choices: number;
  readonly #finishedChoices = new Set<unknown>();
  /** The member `model` as the upstream writes it, each time alike. */
  #upstreamsModel = '';
  /** How the last frame with text began, up to its text, and what that is for the caller. */
  #alike = '';
  #alikeForCaller = '';
  /** A frame with a finish reason, and the frames without a choice that followed it. */
  #held: string[] = [];
  #usageFrame: string | null = null;

  /** `model`: as the caller knows it; `choices`: how many answers were asked for. */
  constructor(call: { readonly model: string; readonly usageRequested: boolean; readonly choices: number }) {
    super();
    this.#callersModel = toByteText(encodeUtf8(`"model":${JSON.stringify(call.model)}`));
    this.#usageRequested = call.usageRequested;
    this.#choices = call.choices;
  }

  protected take(frame: string): string {
    // Not `startsWith`: the engine compares that one character at a time.
    if (this.#alike !== '' && this.#held.length === 0 && frame.slice(0, this.#alike.length) === this.#alike) {
      return this.#takeAlike(frame);
    }
    const { event, data } = readSseFrame(frame);
    if (data === null) return '';
    if (data === TERMINATOR) {
      if (!this.started) return this.fail(brokenProtocol);
      this.state = 'complete';
      return '';
    }
    const mustParse = this.#weigh(frame, 0) || event === 'error' || !this.started || this.#held.length > 0;
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
    if (this.#usageFrame !== null && this.#usageRequested) carrier = frames.push(this.#usageFrame) - 1;
    // An upstream may say it is done without a finish reason.
    const { event, data } = readSseFrame(frames[carrier] ?? '');
    const chunk = data ?? `{"object":"chat.completion.chunk",${this.#callersModel},"choices":[]}`;
    frames[carrier] = writeSseFrame({ event, data: spliceByteText(chunk, additionEdits(additions)) });
    return `${frames.join('')}data: ${TERMINATOR}\n\n`;
  }

  /** A frame that begins like the one before it: only its text and what follows can say anything new. */
  #takeAlike(frame: string): string {
    const from = this.#alike.length;
    const textBytes = jsonStringBytes(frame, from - 1);
    this.outputBytes += textBytes;
    if (!this.#weigh(frame, from + textBytes + 1)) return this.#alikeForCaller + frame.slice(from);
    const { event, data } = readSseFrame(frame);
    return this.#takeParsed(frame, event, data ?? '');
  }

  /** Counts generated text; true when the frame carries something that must be parsed. */
  #weigh(frame: string, from: number): boolean {
    let isTelling = false;
    let isBeginning = from === 0;
    TELLING_MEMBERS.lastIndex = from;
    for (let found = TELLING_MEMBERS.exec(frame); found !== null; found = TELLING_MEMBERS.exec(frame)) {
      if (found[1] !== undefined) {
        isTelling = true;
        isBeginning = false;
      } else if (found[2] === '"') {
        const textStart = TELLING_MEMBERS.lastIndex;
        const textBytes = jsonStringBytes(frame, textStart - 1);
        this.outputBytes += textBytes;
        TELLING_MEMBERS.lastIndex = textStart + textBytes + 1;
        if (isBeginning) this.#learnBeginning(frame.slice(0, textStart));
        isBeginning = false;
      }
    }
    return isTelling;
  }

  #learnBeginning(beginning: string): void {
    const forCaller = this.#withCallersModel(beginning);
    this.#alike = forCaller === null ? '' : beginning;
    this.#alikeForCaller = forCaller ?? '';
  }

  #takeParsed(frame: string, event: string, data: string): string {
    const chunk = parseFrameData(data);
    if (chunk === null) return this.fail(brokenProtocol);
    if (event === 'error' || Boolean(chunk['error'])) {
      return this.fail(inBandFailure(chunk['error'] ?? chunk));
    }
    const choices: unknown = chunk['choices'];
    if (!Array.isArray(choices)) return this.fail(brokenProtocol);
    this.#learnModel(frame, data);
    const passable = this.#withCallersModel(frame) ?? frame;
    if (isRecord(chunk['usage'])) {
      this.usage = usageOfChatCompletion(chunk['usage']) ?? this.usage;
      if (choices.length === 0) {
        this.#usageFrame = passable;
        return '';
      }
    }
    return this.#holdOrPass(passable, choices);
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

  /** Null when the frame has no member `model` as it was learned. */
  #withCallersModel(frame: string): string | null {
    const at = this.#upstreamsModel === '' ? -1 : frame.indexOf(this.#upstreamsModel);
    if (at === -1) return null;
    return frame.slice(0, at) + this.#callersModel + frame.slice(at + this.#upstreamsModel.length);
  }
}
