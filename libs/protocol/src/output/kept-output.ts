import { fromByteText } from '../json/byte-text';

/** As much text as the longest answers have. What follows is counted by its bytes. */
const KEPT_BYTES_MAX = 1024 * 1024;
/** Slices of frames are copied out of them at this length: a slice keeps its whole frame in memory. */
const COPIED_BYTES_MIN = 4096;

interface KeptText {
  readonly member: string;
  readonly copied: Uint8Array[];
  recent: string;
}

/** Where a text stands in an answer: `member` has it, `at` tells texts of the same member apart. */
export interface TextPlace {
  readonly member: string;
  readonly at: string;
}

/**
 * The text that a stream generated, for a count (docs/reference/money.md#estimated-usage). Pieces of one text are joined,
 * also when a stream alternates between several.
 */
export class KeptOutput {
  /** Bytes of text that was not kept. JSON escapes count as written. */
  omittedBytes = 0;
  readonly #texts = new Map<string, KeptText>();
  #bytesLeft: number;

  constructor(bytesMax = KEPT_BYTES_MAX) {
    this.#bytesLeft = bytesMax;
  }

  /** `json`: a piece of text as the inside of a JSON string, in byte text. */
  add({ member, at }: TextPlace, json: string): void {
    if (json.length > this.#bytesLeft) {
      this.omittedBytes += json.length;
      this.#bytesLeft = 0;
      return;
    }
    this.#bytesLeft -= json.length;
    const key = `${member} ${at}`;
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = { member, copied: [], recent: '' }));
    text.recent += json;
    if (text.recent.length < COPIED_BYTES_MIN) return;
    text.copied.push(fromByteText(text.recent));
    text.recent = '';
  }

  /** A JSON list of {@link GeneratedPiece}s. */
  toJson(): Uint8Array {
    const pieces = [...this.#texts].filter(([key]) => !this.#isRepeated(key));
    const json: Uint8Array[] = [];
    for (const [, { member, copied, recent }] of pieces) {
      json.push(fromByteText(`${json.length === 0 ? '[' : ','}["${member}","`), ...copied);
      json.push(fromByteText(`${recent}"]`));
    }
    return Buffer.concat([...json, fromByteText(json.length === 0 ? '[]' : ']')]);
  }

  /** Several servers send the same reasoning under its old name and its new one. */
  #isRepeated(key: string): boolean {
    return key.startsWith('reasoning ') && this.#texts.has(key.replace('reasoning', 'reasoning_content'));
  }
}

const INDEXES = /"index"\s*:\s*(\d+)/g;

/**
 * The place of the text that begins at `textStart` of a frame, in byte text. Choices, blocks and tool calls have their
 * index before their text; in an answer with only one of them it does not matter.
 */
export function placeInFrame(frame: string, textStart: number): TextPlace {
  const before = frame.slice(0, textStart);
  const [, member = ''] = /"(\w+)"\s*:\s*"$/.exec(before.slice(-64)) ?? [];
  return { member, at: Array.from(before.matchAll(INDEXES), ([, index]) => index).join() };
}
