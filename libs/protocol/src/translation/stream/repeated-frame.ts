import { jsonStringBytes } from '../../stream/sse-frame';

const EMPTY = '""';

/**
 * Recognises frames that differ from an earlier one in a single JSON string. Most frames of a stream are such text, and
 * need no parsing.
 */
export class RepeatedFrame {
  #before = '';
  #after = '';

  /** Remembers `frame` around `json`, the string value of its member `member`. */
  learn(frame: string, member: string, json: string): void {
    const before = `"${member}":`;
    const open = frame.indexOf(`${before}${json}`) + before.length;
    if (open < before.length) return;
    this.#before = frame.slice(0, open + 1);
    this.#after = frame.slice(open + json.length);
  }

  /**
   * The string in which the frame differs from the learned one. Null when it is empty or the frame differs elsewhere.
   */
  match(frame: string): string | null {
    const open = this.#before.length - 1;
    if (open === -1 || !frame.startsWith(this.#before)) return null;
    const end = open + jsonStringBytes(frame, open) + 2;
    const isAlike = frame.length - end === this.#after.length && frame.endsWith(this.#after);
    return isAlike && end - open > EMPTY.length ? frame.slice(open, end) : null;
  }
}
