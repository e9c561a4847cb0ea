import { type AnswerAdditions } from '../answer/answer-additions';
import { fromByteText } from '../json/byte-text';
import { KeptOutput } from '../output/kept-output';
import { type Loss } from '../translation/loss';
import { countsAnswer, type TokenUsage } from '../usage/token-usage';
import { SseSplitter } from './sse-splitter';

/**
 * `open` until the protocol's terminator was seen, then `complete`. `failed` when the upstream reported an error in its
 * stream, broke the protocol, or ended too early.
 */
type StreamState = 'open' | 'complete' | 'failed';

/** Why a stream failed. The message may be shown to the caller. */
export interface StreamFailure {
  readonly message: string;
  /** The provider's name of the error. */
  readonly code?: string;
  /** The HTTP status of the provider's error. */
  readonly status?: number;
}

/** Relays one upstream's stream to one caller. */
export interface StreamRelay {
  readonly state: StreamState;
  readonly failure: StreamFailure | null;
  /** True where the answer has begun. Before that no bytes are returned, so that another attempt can take over. */
  readonly started: boolean;
  /** The usage that the provider reported of the answer. Null while there is no such report. */
  readonly usage: TokenUsage | null;
  /** The usage that it reported so far, also of the prompt alone. Use it of a stream without {@link usage}. */
  readonly reportedSoFar: TokenUsage | null;
  /**
   * Bytes of generated text, reasoning and tool arguments so far. JSON escapes count as written. It never decreases.
   * Use it to estimate the usage of a stream that was cut before its usage came, not of one that ended.
   */
  readonly outputBytes: number;
  /** The generated text; null unless it is kept. */
  readonly keptOutput: KeptOutput | null;
  /** The number of the next event, where the protocol numbers its events. Else 0. */
  nextSequenceNumber(): number;
  /** Parts of the answer that the translation lost so far. Empty when both sides speak one protocol. */
  readonly losses: readonly Loss[];
  /** Keeps the generated text from now on, to count it. */
  keepOutput(): void;
  /** Takes upstream bytes. Returns the bytes to send to the caller now, possibly none. */
  push(chunk: Uint8Array): Uint8Array[];
  /** Tells the relay that the upstream closed its stream. An open state becomes `complete` or `failed`. */
  end(): void;
  /**
   * The withheld frames with the additions, and the protocol's terminator.
   * @throws Error unless the state is `complete`.
   */
  finish(additions: AnswerAdditions): Uint8Array[];
}

/**
 * The most bytes that an upstream may send without a byte going to the caller. No valid frame is larger, nor are the
 * frames before an answer or after its end. Without a bound a broken upstream could fill the memory.
 */
const WITHHELD_BYTES_MAX = 64 * 1024 * 1024;

/** The common part of the relays. A subclass handles one frame at a time. */
export abstract class FrameRelay implements StreamRelay {
  state: StreamState = 'open';
  failure: StreamFailure | null = null;
  started = false;
  outputBytes = 0;
  keptOutput: KeptOutput | null = null;
  readonly #splitter = new SseSplitter();
  #preamble = '';
  /** Bytes received since bytes last went to the caller. */
  #withheldBytes = 0;

  abstract get reportedSoFar(): TokenUsage | null;

  get usage(): TokenUsage | null {
    const reported = this.reportsAnswer() ? this.reportedSoFar : null;
    return reported !== null && countsAnswer(reported, this.outputBytes > 0) ? reported : null;
  }

  /** True where the report so far is one of the answer, not of its prompt alone. */
  protected reportsAnswer(): boolean {
    return true;
  }

  nextSequenceNumber(): number {
    return 0;
  }

  get losses(): readonly Loss[] {
    return [];
  }

  /** Takes a whole frame. Returns the byte text to send to the caller now. */
  protected abstract take(frame: string): string;
  /** True where the answer is complete although its upstream closed without the protocol's terminator. */
  protected abstract isWhole(): boolean;
  /** Byte text of the remaining frames. */
  protected abstract lastFrames(additions: AnswerAdditions): string;

  keepOutput(): void {
    this.keptOutput = new KeptOutput();
  }

  push(chunk: Uint8Array): Uint8Array[] {
    if (this.state !== 'open') return [];
    let isUntouched = this.#splitter.pendingBytes === 0;
    let passed = '';
    for (const frame of this.#splitter.push(chunk)) {
      const taken = this.take(frame);
      isUntouched &&= taken === frame;
      passed += taken;
      if (this.#hasEnded()) break;
    }
    this.#withheldBytes += chunk.byteLength;
    if (this.#withheldBytes > WITHHELD_BYTES_MAX && this.state === 'open') this.fail(protocolViolation);
    if (passed === '') return [];
    if (!this.started) {
      this.#preamble += passed;
      return [];
    }
    this.#withheldBytes = 0;
    const out = this.#takePreamble() + passed;
    return [isUntouched && out.length === chunk.length ? chunk : fromByteText(out)];
  }

  end(): void {
    if (this.state !== 'open') return;
    const rest = this.#splitter.end();
    if (rest !== null) this.#preamble += this.take(rest);
    if (this.#hasEnded() && this.failure !== protocolViolation) return;
    // The last frame may be cut, and is then no fault of the protocol.
    if (this.failure === null && this.isWhole()) this.state = 'complete';
    else this.fail({ message: 'The provider closed its stream before the answer was complete.' });
  }

  finish(additions: AnswerAdditions): Uint8Array[] {
    if (this.state !== 'complete') throw new Error('only a complete stream can be finished');
    return [fromByteText(this.#takePreamble() + this.lastFrames(additions))];
  }

  protected fail(failure: StreamFailure): '' {
    this.state = 'failed';
    this.failure = failure;
    return '';
  }

  /** Takes the protocol's terminator. An answer that has not begun cannot end. */
  protected terminate(): '' {
    if (!this.started) return this.fail(protocolViolation);
    this.state = 'complete';
    return '';
  }

  #hasEnded(): boolean {
    return this.state !== 'open';
  }

  #takePreamble(): string {
    const preamble = this.#preamble;
    this.#preamble = '';
    return preamble;
  }
}

export const protocolViolation: StreamFailure = { message: 'The provider’s stream broke its protocol.' };
