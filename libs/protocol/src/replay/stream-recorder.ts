import { type Operation } from '../call/operation';
import { encodeUtf8, fromByteText, type JsonRecord, toByteText } from '../json/byte-text';
import { parseFrameData, readSseFrame, writeSseFrame } from '../stream/sse-frame';
import { SseSplitter } from '../stream/sse-splitter';
import { chatChunks } from './fold-chat-chunk';
import { messageDeltas } from './fold-message-delta';
import { type FrameFolding } from './frame-folding';

/** Frames that say more and more of the same thing. */
interface Run {
  readonly event: string;
  readonly chunk: JsonRecord;
  /** The only frame, as it was; null once there are several. */
  frame: string | null;
}

const foldings: Readonly<Record<Operation, FrameFolding>> = {
  chat_completions: chatChunks,
  messages: messageDeltas,
};

/**
 * Records a stream as its caller gets it, for a replay that says the same in few frames (interface.md, Idempotency,
 * point 2): pieces of one text, one thought or one tool call's arguments become one piece. Every other frame stays
 * as it is and where it is, the last ones with `svc` among them; comments and pings are left out.
 */
export class StreamRecorder {
  readonly #folding: FrameFolding;
  readonly #splitter = new SseSplitter();
  readonly #runs = new Map<number, Run>();
  readonly #written: string[] = [];

  constructor(operation: Operation) {
    this.#folding = foldings[operation];
  }

  /** Takes what goes to the caller, cut anywhere. */
  push(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) for (const frame of this.#splitter.push(piece)) this.#take(frame);
  }

  /** The whole stream, once all of it was pushed. */
  end(): Uint8Array {
    this.#writeRuns();
    return fromByteText(this.#written.join(''));
  }

  #take(frame: string): void {
    const { event, data } = readSseFrame(frame);
    if (data === null || event === 'ping') return;
    const chunk = parseFrameData(data);
    const slot = chunk === null ? null : this.#folding.slotOf({ event, chunk });
    if (chunk === null || slot === null) {
      this.#writeRuns();
      this.#written.push(frame);
      return;
    }
    const run = this.#runs.get(slot);
    if (run !== undefined && this.#folding.fold(run.chunk, chunk)) run.frame = null;
    else {
      if (run !== undefined) this.#writeRuns();
      this.#runs.set(slot, { event, chunk, frame });
    }
  }

  #writeRuns(): void {
    for (const { event, chunk, frame } of this.#runs.values()) {
      this.#written.push(
        frame ?? writeSseFrame({ event, data: toByteText(encodeUtf8(JSON.stringify(chunk))) }),
      );
    }
    this.#runs.clear();
  }
}
