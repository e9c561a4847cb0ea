import { randomUUID } from 'node:crypto';
import { asBuffer, decodeUtf8, isRecord, type JsonRecord } from '../../json/byte-text';
import { stringEnd } from '../../json/json-string';
import { LONG_STRING_BYTES } from '../../json/outline';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes at the beginning of a text that tell that it is not blank. */
const BLANK_BYTES = 256;
const MAYBE_BLANK = /^(?:\s|\\[bfnrt]|\\u[0-9A-Fa-f]{4})*\\?$/;

/** Members whose text goes through every translation as it is, or joined with others. */
const TEXTS = new Set(['system', 'instructions', 'input', 'content', 'text']);
/** Where lists hold messages, items and parts that have such members. */
const LISTS = new Set(['messages', 'input', 'system', 'content']);

/** Told of the bytes of each long string before it takes memory; may throw to refuse it. */
export type TakeMemory = (byteCount: number) => void;

const nothing: TakeMemory = () => undefined;

interface LongTextOptions {
  readonly take?: TakeMemory;
  /** Bytes above which a string is long. */
  readonly longBytes?: number;
}

/**
 * Writes a body of which it is known that it is JSON.
 * @param write gets the body with marks for its long texts, which its pieces then have; or the whole body.
 * @returns the pieces, with the texts of the caller's own bytes.
 */
export function withLongTexts(
  bytes: Uint8Array,
  write: (body: JsonRecord) => readonly Uint8Array[],
  { take = nothing, longBytes = LONG_STRING_BYTES }: LongTextOptions = {},
): readonly Uint8Array[] {
  const texts = new LongTexts(bytes, longBytes, take);
  const written = texts.written(write(texts.body));
  if (written !== null) return written;
  take(bytes.byteLength);
  return write(JSON.parse(decodeUtf8(bytes)) as JsonRecord);
}

/**
 * A body in which marks stand for long texts of its prompt, so that a translation takes memory for neither them nor copies of
 * them: their bytes are put in the places of the marks when it is written.
 */
class LongTexts {
  readonly body: JsonRecord;
  private readonly salt = randomUUID();
  /** The bytes between the quotes, by mark. */
  private readonly texts = new Map<string, Buffer>();

  constructor(
    bytes: Uint8Array,
    private readonly longBytes: number,
    private readonly take: TakeMemory,
  ) {
    const marked = JSON.parse(decodeUtf8(this.marked(asBuffer(bytes)))) as JsonRecord;
    this.body = this.restored(marked, true) as JsonRecord;
  }

  /**
   * The pieces of {@link body}, with the texts. They are no copies.
   * @returns null where a mark stands inside of JSON within a text: then the body must be translated without marks.
   */
  written(pieces: readonly Uint8Array[]): readonly Uint8Array[] | null {
    const whole: Uint8Array[] = [];
    const begin = Buffer.from(`\\"${this.salt}`);
    for (const piece of pieces.map(asBuffer)) {
      let from = 0;
      for (let at = piece.indexOf(begin); at !== -1; at = piece.indexOf(begin, from)) {
        if (piece[at - 1] === BACKSLASH) return null;
        const end = piece.indexOf('\\"', at + begin.length);
        const text = this.texts.get(piece.toString('latin1', at, end + 2).replaceAll('\\"', '"'));
        if (text === undefined) return null;
        whole.push(piece.subarray(from, at), text);
        from = end + 2;
      }
      whole.push(piece.subarray(from));
    }
    return whole;
  }

  /** The text of the body, with a mark for each long string. A mark has quotes, which tell how often it was written as JSON. */
  private marked(json: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let written = 0;
    for (let at = json.indexOf(QUOTE); at !== -1; at = json.indexOf(QUOTE, at)) {
      const end = stringEnd(json, at);
      if (end - at - 2 > this.longBytes) {
        const mark = `"${this.salt}:${String(this.texts.size)}"`;
        this.texts.set(mark, json.subarray(at + 1, end - 1));
        pieces.push(json.subarray(written, at), Buffer.from(JSON.stringify(mark)));
        written = end;
      }
      at = end;
    }
    return pieces.length === 0 ? json : Buffer.concat([...pieces, json.subarray(written)]);
  }

  /** With the texts back that a translation may look into. */
  private restored(value: unknown, isPrompt: boolean): unknown {
    if (typeof value === 'string') return this.textOf(value);
    if (Array.isArray(value)) return value.map((one) => this.restored(one, isPrompt));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).map(([key, member]) => {
      const keeps = isPrompt && typeof member === 'string' && TEXTS.has(key) && !this.isMaybeBlank(member);
      const isWithin = isPrompt && Array.isArray(member) && LISTS.has(key);
      return [this.textOf(key), keeps ? member : this.restored(member, isWithin)] as const;
    });
    return Object.fromEntries(members);
  }

  private textOf(mark: string): string {
    const text = this.texts.get(mark);
    if (text === undefined) return mark;
    this.take(text.byteLength);
    return JSON.parse(`"${text.toString()}"`) as string;
  }

  private isMaybeBlank(mark: string): boolean {
    const text = this.texts.get(mark);
    return text !== undefined && MAYBE_BLANK.test(text.toString('utf8', 0, BLANK_BYTES));
  }
}
