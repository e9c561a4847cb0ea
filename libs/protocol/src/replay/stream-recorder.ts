import { generative, type GenerativeOperation, type Operation } from '../call/operation';
import { encodeUtf8, fromByteText, type JsonRecord, toByteText } from '../json/byte-text';
import { parseFrameData, readSseFrame, writeSseFrame } from '../stream/sse-frame';
import { SseSplitter } from '../stream/sse-splitter';
import { chatChunks } from './fold-chat-chunk';
import { messageDeltas } from './fold-message-delta';
import { responseDeltas } from './fold-response-delta';
import { type FrameFolding } from './frame-folding';

/** Consecutive frames that are joined into one. */
interface Run {
  readonly event: string;
  readonly chunk: JsonRecord;
  /** The original text of the only frame. Null once there are several. */
  frame: string | null;
}

const foldings: Readonly<Record<GenerativeOperation, FrameFolding>> = {
  chat_completions: chatChunks,
  messages: messageDeltas,
  responses: responseDeltas,
};

/** As much as a plain answer may have. */
const STREAM_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Records a stream as its caller gets it, for a replay with the same content in few frames
 * (docs/reference/idempotency.md#streams): pieces of one text, one thinking block or one tool call's arguments become
 * one piece. All other frames keep their text and order, the last ones with `svc` included. Comments and pings are left
 * out. A stream of more than `bytesMax` is not recorded, and what was recorded of it is dropped.
 */
export class StreamRecorder {
  readonly #folding: FrameFolding;
  readonly #runs = new Map<number, Run>();
  #splitter = new SseSplitter();
  #written: string[] = [];
  #bytesLeft: number;

  constructor(operation: Operation, bytesMax = STREAM_BYTES_MAX) {
    this.#folding = foldings[generative(operation)];
    this.#bytesLeft = bytesMax;
  }

  /** Takes the bytes sent to the caller, cut anywhere. */
  push(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.#bytesLeft -= piece.byteLength;
      if (this.#bytesLeft < 0) return this.#drop();
      for (const frame of this.#splitter.push(piece)) this.#take(frame);
    }
  }

  /** The recorded stream; null when it was too long. Call it once all bytes were pushed. */
  end(): Uint8Array | null {
    if (this.#bytesLeft < 0) return null;
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

  #drop(): void {
    this.#splitter = new SseSplitter();
    this.#runs.clear();
    this.#written = [];
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
