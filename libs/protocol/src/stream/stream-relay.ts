import { type AnswerAdditions } from '../answer/answer-additions';
import { fromByteText } from '../json/byte-text';
import { type Loss } from '../translation/loss';
import { type TokenUsage } from '../usage/token-usage';
import { SseSplitter } from './sse-splitter';

/**
 * `open` until the protocol's own terminator was seen, then `complete`; `failed` when the upstream reported an
 * error in its stream, sent what is not the protocol, or ended too early.
 */
export type StreamState = 'open' | 'complete' | 'failed';

/** Why a stream failed, in words that may be shown to the caller. */
export interface StreamFailure {
  readonly message: string;
  /** The provider's own name of the error. */
  readonly code?: string;
  /** The HTTP status that the provider's error stands for. */
  readonly status?: number;
}

/** Passes one upstream's stream on to one caller, of the same protocol on both sides. */
export interface StreamRelay {
  readonly state: StreamState;
  readonly failure: StreamFailure | null;
  /** Whether the answer itself has begun. Before that nothing is given out: another attempt can take over. */
  readonly started: boolean;
  /** What the provider reported so far. */
  readonly usage: TokenUsage | null;
  /**
   * Bytes of generated text, reasoning and tool arguments seen so far, JSON escapes as they stand. Never falls.
   * An estimate's base for a stream that was cut before its usage came, not for one that ended.
   */
  readonly outputBytes: number;
  /** What of the answer could not be carried so far; nothing where both sides speak one protocol. */
  readonly losses: readonly Loss[];
  /** Takes upstream bytes; returns those that may go to the caller now, possibly none. */
  push(chunk: Uint8Array): Uint8Array[];
  /** The upstream closed its stream. Decides a state that was still open. */
  end(): void;
  /**
   * The frames that were kept back, with the additions, and the protocol's terminator.
   * @throws Error unless the state is `complete`.
   */
  finish(additions: AnswerAdditions): Uint8Array[];
}

/** A frame has no business being larger; without a bound a broken upstream could fill the memory. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** What the relays of both protocols do alike. A subclass judges frames, one at a time. */
export abstract class FrameRelay implements StreamRelay {
  state: StreamState = 'open';
  failure: StreamFailure | null = null;
  started = false;
  outputBytes = 0;
  readonly #splitter = new SseSplitter();
  #preamble = '';

  abstract get usage(): TokenUsage | null;

  get losses(): readonly Loss[] {
    return [];
  }

  /** Takes a whole frame; returns the byte text that may go to the caller now. */
  protected abstract take(frame: string): string;
  /** Takes the unfinished frame at which the upstream closed; true when the answer was told to its end. */
  protected abstract close(rest: string): boolean;
  /** Byte text of all that is left to say. */
  protected abstract lastFrames(additions: AnswerAdditions): string;

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
    if (this.#splitter.pendingBytes > FRAME_BYTES_MAX) this.fail(brokenProtocol);
    if (passed === '') return [];
    if (!this.started) {
      this.#preamble += passed;
      return [];
    }
    const out = this.#takePreamble() + passed;
    return [isUntouched && out.length === chunk.length ? chunk : fromByteText(out)];
  }

  end(): void {
    if (this.state !== 'open') return;
    if (this.close(this.#splitter.pending)) this.state = 'complete';
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

  #hasEnded(): boolean {
    return this.state !== 'open';
  }

  #takePreamble(): string {
    const preamble = this.#preamble;
    this.#preamble = '';
    return preamble;
  }
}

export const brokenProtocol: StreamFailure = { message: 'The provider’s stream broke its protocol.' };
