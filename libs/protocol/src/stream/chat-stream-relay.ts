import { additionEdits, type AnswerAdditions } from '../answer/answer-additions';
import { byteJson, bytesInside, inside } from '../json/byte-json';
import { encodeUtf8, fromByteText, isRecord, toByteText } from '../json/byte-text';
import { type MemberEdit, type MemberEdits } from '../json/splice';
import { topLevelMembers } from '../json/top-level-members';
import { recordIn } from '../json/untyped';
import { generatedText } from '../output/answer-output';
import { placeInFrame, type TextPlace } from '../output/kept-output';
import { usageOfChatAnswer } from '../usage/chat-completion-usage';
import { chatCompletionUsageReport } from '../usage/usage-report';
import { type TokenUsage } from '../usage/token-usage';
import { type ChatChunk, ChatStreamReader, type ChunkChoice, reportsUsage } from './chat-stream-reader';
import {
  jsonStringBytes,
  readSseFrame,
  spliceByteText,
  spliceInList,
  spliceInside,
  type SseFrame,
  writeSseFrame,
} from './sse-frame';
import { FrameRelay } from './stream-relay';

const TERMINATOR = '[DONE]';

/**
 * Members that require a frame to be parsed (the first group), those of tool calls, those of their arguments, and other members with generated text,
 * each with the first character of a value that is neither null nor empty. Quotes inside JSON strings are escaped, so text
 * cannot look like a member.
 */
const SCANNED_MEMBERS =
  /"(?:(error|usage|finish_reason)|(tool_calls|function_call)|(arguments|input)|content|refusal|reasoning_content|reasoning|transcript|text)"\s*:\s*(?!""|\[\s*\])([^n\s])/g;

/**
 * Relays a chat-completions stream. Only frames with a finish reason, usage, an error or no text are parsed. The others
 * pass unchanged except for the model's name. Frames are withheld from a finish reason on, because the additions go onto the
 * last frame with a finish reason or usage (docs/reference/inference-and-compatibility.md#streaming).
 */
export class ChatStreamRelay extends FrameRelay {
  readonly #callersModel: string;
  readonly #usageRequested: boolean;
  readonly #choices: number;
  readonly #reader = new ChatStreamReader();
  /** The member `model` as the upstream writes it in every frame. */
  #upstreamsModel = '';
  /** The last frame with text, up to its text, and the same prefix with the caller's name of the model. */
  #repeatedPrefix = '';
  #callersPrefix = '';
  #repeatedPlace: TextPlace | null = null;
  /** A frame with a finish reason and the frames without a choice after it. */
  #held: string[] = [];
  #usageFrame: string | null = null;
  /** True where the frame has arguments that are no text. */
  #hasJsonArguments = false;
  /** True where the frames have the usage at its usual place, as it is charged. */
  #showsUsage = false;

  /** `model`: the caller's name of it. `choices`: the number of requested answers. */
  constructor(call: { readonly model: string; readonly usageRequested: boolean; readonly choices: number }) {
    super();
    this.#callersModel = toByteText(encodeUtf8(`"model":${JSON.stringify(call.model)}`));
    this.#usageRequested = call.usageRequested;
    this.#choices = call.choices;
  }

  get reportedSoFar(): TokenUsage | null {
    return this.#reader.usage;
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
    const read = readSseFrame(frame);
    if (read.data === null) return '';
    const mustParse =
      this.#countText(frame, 0) || read.event === 'error' || !this.started || this.#held.length > 0;
    return (mustParse ? null : this.#withCallersModel(frame)) ?? this.#takeParsed(frame, read);
  }

  protected isWhole(): boolean {
    // Several compatible servers send no terminator.
    return this.started && this.#reader.finishedChoices >= this.#choices;
  }

  protected lastFrames(additions: AnswerAdditions): string {
    const frames = [...this.#held];
    let carrier = 0;
    const usageFrame = this.#usageRequested ? this.#lastUsageFrame(additions) : null;
    if (usageFrame !== null) carrier = frames.push(usageFrame) - 1;
    // An upstream may send the terminator without a finish reason.
    const { event, data } = readSseFrame(frames[carrier] ?? '');
    const chunk = spliceByteText(data ?? this.#emptyChunk(), additionEdits(additions));
    frames[carrier] = writeSseFrame({ event, data: chunk });
    return `${frames.join('')}data: ${TERMINATOR}\n\n`;
  }

  /** The usage chunk for a caller that asked for it. Null where the frames have the usage already, or there is none. */
  #lastUsageFrame({ usage: counted }: AnswerAdditions): string | null {
    if (counted !== undefined) return this.#frameOfUsage(counted);
    const { usage } = this;
    if (this.#showsUsage || usage === null) return this.#usageFrame;
    return this.#frameOfUsage(chatCompletionUsageReport(usage));
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
    return this.#takeParsed(frame, readSseFrame(frame));
  }

  /** Counts generated text. Returns whether the frame must be parsed: one without text may be of any kind. */
  #countText(frame: string, from: number): boolean {
    const countedBefore = this.outputBytes;
    let mustParse = false;
    let hasText = from > 0;
    let isPrefix = from === 0;
    SCANNED_MEMBERS.lastIndex = from;
    for (let found = SCANNED_MEMBERS.exec(frame); found !== null; found = SCANNED_MEMBERS.exec(frame)) {
      if (found[1] !== undefined) {
        mustParse = true;
        isPrefix = false;
      } else if (found[2] !== undefined) {
        this.#reader.noteToolCall();
      } else if (found[3] !== undefined && found[4] !== '"') {
        // A JSON value may have any of these members inside.
        this.outputBytes = countedBefore;
        this.#hasJsonArguments = true;
        return true;
      } else if (found[4] === '"') {
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
        hasText = true;
      }
    }
    return mustParse || !hasText;
  }

  #learnPrefix(prefix: string): void {
    const forCaller = this.#withCallersModel(prefix);
    this.#repeatedPrefix = forCaller === null ? '' : prefix;
    this.#callersPrefix = forCaller ?? '';
    if (this.keptOutput !== null) this.#repeatedPlace = placeInFrame(prefix, prefix.length);
  }

  #takeParsed(frame: string, { event, data }: SseFrame): string {
    const read = this.#reader.readData({ event, data });
    if (read.kind === 'terminator') return this.terminate();
    if (read.kind === 'failure') return this.fail(read.failure);
    if (read.kind === 'comment' || data === null) return '';
    if (this.#hasJsonArguments) this.#countParsed(read);
    this.#learnModel(frame, data);
    const edited = editsOf(read, !this.#usageRequested).reduce((json, edit) => edit(json), data);
    const shown = edited === data ? frame : writeSseFrame({ event, data: edited });
    const renamed = this.#withCallersModel(shown) ?? shown;
    if (this.#usageRequested && reportsUsage(read)) this.#takeUsage(read, renamed);
    const { choices } = read;
    if (choices === null || (choices.length === 0 && reportsUsage(read))) return '';
    return this.#holdOrPass(renamed, choices);
  }

  #countParsed({ choices }: ChatChunk): void {
    this.#hasJsonArguments = false;
    const messages = (choices ?? []).map(({ delta }) => ({ message: delta }));
    for (const [at, [member, text]] of generatedText('chat_completions', { choices: messages }).entries()) {
      const json = byteJson(text);
      this.outputBytes += bytesInside(json);
      this.keptOutput?.add({ member, at: `json ${String(at)}` }, inside(json));
    }
  }

  #takeUsage({ chunk, choices }: ChatChunk, frame: string): void {
    // An upstream may report less than before.
    const reported = JSON.stringify(usageOfChatAnswer(chunk));
    this.#showsUsage = reported === JSON.stringify(this.#reader.usage);
    if (choices === null || choices.length === 0) this.#usageFrame = frame;
  }

  #holdOrPass(frame: string, choices: readonly ChunkChoice[]): string {
    const hasFinished = choices.some(({ finishReason }) => finishReason !== null);
    if (choices.length === 0 && this.#held.length > 0) {
      this.#held.push(frame);
      return '';
    }
    const released = this.#held.join('');
    this.#held = hasFinished ? [frame] : [];
    this.started ||= choices.length > 0;
    return hasFinished ? released : released + frame;
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

type EditJson = (json: string) => string;

/** Edits of the frame's JSON for the caller. */
function editsOf({ chunk, choices }: ChatChunk, hidesUsage: boolean): readonly EditJson[] {
  const edits: EditJson[] = [];
  const ofChunk: MemberEdit[] = [];
  // Clients read the choices without a check.
  if (choices === null) ofChunk.push(['choices', '[]']);
  // Some upstreams put the usage into chunks with a choice, where a caller that did not ask for it would see it.
  if (hidesUsage && isRecord(chunk['usage'])) ofChunk.push(['usage', null]);
  if (ofChunk.length > 0) edits.push((json) => spliceByteText(json, ofChunk));
  if (hidesUsage && recordIn(chunk['x_groq'])['usage'] !== undefined) {
    edits.push((json) => spliceInside(json, 'x_groq', [['usage', null]]) ?? json);
  }
  const ofChoices = (choices ?? []).map((choice) => choiceEdits(choice, hidesUsage));
  if (ofChoices.some(({ length }) => length > 0)) {
    edits.push((json) => spliceInList(json, 'choices', ofChoices));
  }
  return edits;
}

function choiceEdits({ choice, finishReason }: ChunkChoice, hidesUsage: boolean): MemberEdits {
  const edits: MemberEdit[] = [];
  if (finishReason !== null && finishReason !== choice['finish_reason']) {
    edits.push(['finish_reason', JSON.stringify(finishReason)]);
  }
  if (hidesUsage && 'usage' in choice) edits.push(['usage', null]);
  return edits;
}
