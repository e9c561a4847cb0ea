import { inside } from '../../json/byte-json';
import { fromByteText, toByteText } from '../../json/byte-text';

/** Slices of frames are copied out of them at this length: a slice keeps its whole frame in memory. */
const COPIED_BYTES_MIN = 4096;

/** A JSON string that comes in pieces, in byte text. */
export class JoinedText {
  readonly #copied: Uint8Array[] = [];
  #recent = '';

  /** `json`: the next piece, as a JSON string. */
  add(json: string): void {
    this.#recent += inside(json);
    if (this.#recent.length < COPIED_BYTES_MIN) return;
    this.#copied.push(fromByteText(this.#recent));
    this.#recent = '';
  }

  get json(): string {
    return `"${this.#copied.map(toByteText).join('')}${this.#recent}"`;
  }
}
