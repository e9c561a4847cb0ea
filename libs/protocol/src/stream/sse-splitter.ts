import { toByteText } from '../json/byte-text';

/** The longest end of a frame, `\r\n\r\n`. As many bytes must be searched again when more bytes come. */
const FRAME_END_BYTES_MAX = 4;

/**
 * An empty line. A carriage return ends a line only once the next byte shows that it is not half of `\r\n`, because a
 * chunk may end between the two.
 */
const FRAME_END = /(?:\r\n|\n|\r(?=[^\n])){2}/g;

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** Cuts a server-sent-event stream into frames, as byte text (one character a byte), each with its empty line. */
export class SseSplitter {
  #pending: string[] = [];
  #pendingBytes = 0;
  /** The last pending bytes. */
  #tail = '';
  #sawCarriageReturn = false;
  #atStart = true;

  /** Bytes of the incomplete frame. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The incomplete frame. */
  get pending(): string {
    return this.#pending.join('');
  }

  /**
   * The frame that the stream ends in, as if its empty line had come: several servers leave it out. Null when there is
   * none.
   */
  end(): string | null {
    const rest = this.#complete('').trimEnd();
    return rest === '' ? null : `${rest}\n\n`;
  }

  push(chunk: Uint8Array): string[] {
    const text = this.#tail + toByteText(chunk);
    this.#sawCarriageReturn ||= text.includes('\r');
    const frames: string[] = [];
    let start = this.#tail.length;
    for (let end = this.#frameEnd(text, 0); end !== -1; end = this.#frameEnd(text, end)) {
      frames.push(this.#complete(text.slice(start, end)));
      start = end;
    }
    this.#keep(text.slice(start));
    return frames;
  }

  #frameEnd(text: string, from: number): number {
    if (!this.#sawCarriageReturn) {
      const at = text.indexOf('\n\n', from);
      return at === -1 ? -1 : at + 2;
    }
    FRAME_END.lastIndex = from;
    return FRAME_END.test(text) ? FRAME_END.lastIndex : -1;
  }

  #complete(rest: string): string {
    let frame = rest;
    if (this.#pendingBytes > 0) {
      frame = this.pending + rest;
      this.#pending = [];
      this.#pendingBytes = 0;
      this.#tail = '';
    }
    if (!this.#atStart) return frame;
    this.#atStart = false;
    return frame.startsWith(BYTE_ORDER_MARK) ? frame.slice(BYTE_ORDER_MARK.length) : frame;
  }

  #keep(rest: string): void {
    if (rest === '') return;
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    this.#tail = (this.#tail + rest).slice(-FRAME_END_BYTES_MAX);
  }
}
