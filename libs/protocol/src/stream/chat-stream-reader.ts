import { callsTool, FAILED, finishReasonIn, withoutPhantomCall } from '../answer/finish-reason';
import { parseByteJson } from '../json/byte-json';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordIn, recordsIn } from '../json/untyped';
import { ChatUsageReports } from '../usage/chat-completion-usage';
import { type TokenUsage } from '../usage/token-usage';
import { brokenOffAnswer, errorEventFailure, inBandFailure, listedFailure } from './in-band-failure';
import { readSseFrame, type SseFrame } from './sse-frame';
import { protocolViolation, type StreamFailure } from './stream-relay';

const TERMINATOR = '[DONE]';
/** The longest data that may be the terminator with blanks around it. */
const TERMINATOR_LENGTH_MAX = 16;

/** A choice of a chunk. */
export interface ChunkChoice {
  readonly choice: JsonRecord;
  readonly delta: JsonRecord;
  /** In OpenAI's words. Null while the choice goes on. */
  readonly finishReason: string | null;
}

/** A frame of a chat-completions stream. `comment`: it says only that the provider is there. */
type ChatFrame =
  | { readonly kind: 'comment' }
  | { readonly kind: 'terminator' }
  | { readonly kind: 'failure'; readonly failure: StreamFailure }
  | ChatChunk;

export interface ChatChunk {
  readonly kind: 'chunk';
  readonly chunk: JsonRecord;
  /** Null when the chunk has no list of choices. */
  readonly choices: readonly ChunkChoice[] | null;
}

/**
 * Reads the frames of a chat-completions stream for every relay. Whatever compatible servers do differently is made
 * usual here: relays know OpenAI's protocol only.
 */
export class ChatStreamReader {
  readonly #reports = new ChatUsageReports();
  readonly #finished = new Set<unknown>();
  #calledTools = false;

  get usage(): TokenUsage | null {
    return this.#reports.usage;
  }

  /** How many choices have their finish reason. */
  get finishedChoices(): number {
    return this.#finished.size;
  }

  /** Tells of a tool call in a frame that is not read. */
  noteToolCall(): void {
    this.#calledTools = true;
  }

  read(frame: string): ChatFrame {
    return this.readData(readSseFrame(frame));
  }

  readData({ event, data }: SseFrame): ChatFrame {
    if (data === null) return { kind: 'comment' };
    if (data.length <= TERMINATOR_LENGTH_MAX && data.trim() === TERMINATOR) return { kind: 'terminator' };
    if (event === 'error') return { kind: 'failure', failure: errorEventFailure(data) };
    const chunk = parseByteJson(data);
    if (chunk === null) return { kind: 'failure', failure: listedFailure(data) ?? protocolViolation };
    if (chunk['error']) return { kind: 'failure', failure: inBandFailure(chunk['error']) };
    return this.#readChunk(chunk);
  }

  #readChunk(chunk: JsonRecord): ChatFrame {
    const listed: unknown = chunk['choices'] ?? null;
    if (listed !== null && !Array.isArray(listed)) return { kind: 'failure', failure: protocolViolation };
    this.#reports.take(chunk);
    const choices = recordsIn(listed).map((choice) => this.#readChoice(choice));
    const failed = choices.find(({ finishReason }) => finishReason === FAILED);
    if (failed !== undefined) return { kind: 'failure', failure: brokenOffAnswer(failed.choice['error']) };
    return { kind: 'chunk', chunk, choices: listed === null ? null : choices };
  }

  #readChoice(choice: JsonRecord): ChunkChoice {
    const delta = recordIn(choice['delta']);
    this.#calledTools ||= callsTool(delta);
    const finishReason = withoutPhantomCall(finishReasonIn(choice), this.#calledTools);
    if (finishReason !== null) this.#finished.add(choice['index']);
    return { choice, delta, finishReason };
  }
}

/** True where a chunk reports usage at OpenAI's place. */
export const reportsUsage = ({ chunk }: ChatChunk): boolean => isRecord(chunk['usage']);
