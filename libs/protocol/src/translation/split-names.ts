/** The member `name` of a tool call, its value as it is written. Inside of a text its quotes are escaped. */
const NAME = /"name"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
/** After these no more of a name comes. */
const AFTER_NAME = /"(?:arguments|input|finish_reason)"\s*:\s*"[^"]/;
/** The frames of one name are few and short. */
const HELD_LENGTH_MAX = 16 * 1024;

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Joins the short names of tools that a provider streams in pieces, so that they can be restored: each stands whole in the frame of its first
 * piece. Frames wait only while a short name has begun.
 */
export class SplitNames {
  #held = '';
  readonly #short: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;

  /** `short`: the names to join, as JSON writes them without quotes. `own`: the other names of the call, which are whole. */
  constructor(short: readonly string[], own: readonly string[]) {
    this.#short = new Set(short);
    this.#own = new Set(own);
  }

  /** `frames`: whole ones. Returns those to send now. */
  take(frames: string): string {
    const all = this.#held + frames;
    this.#held = '';
    if (!all.includes('"name"')) return all;
    const pieces = [...all.matchAll(NAME)].map(pieceOf).filter(({ text }) => text !== '');
    const first = pieces.findIndex(({ text }) => this.#isBegun(text));
    if (first === -1) return all;
    let name = '';
    for (const [at, { text }] of pieces.slice(first).entries()) {
      name = text.startsWith(name) ? text : name + text;
      if (this.#short.has(name)) return withName(all, name, pieces.slice(first, first + at + 1));
      if (!this.#isBegun(name)) return all;
    }
    if (all.length > HELD_LENGTH_MAX || AFTER_NAME.test(all.slice(pieces[first]?.end))) return all;
    this.#held = all;
    return '';
  }

  /** The rest of the text at the end of the stream. */
  rest(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #isBegun(name: string): boolean {
    if (this.#short.has(name) || this.#own.has(name)) return false;
    for (const whole of this.#short) if (whole.startsWith(name)) return true;
    return false;
  }
}

function pieceOf(found: RegExpExecArray): Piece {
  const text = found[1] ?? '';
  const end = found.index + found[0].length - 1;
  return { text, start: end - text.length, end };
}

/** The frames with the name in place of its first piece, and nothing in place of the others. */
function withName(frames: string, name: string, pieces: readonly Piece[]): string {
  let written = '';
  let from = 0;
  for (const [at, { start, end }] of pieces.entries()) {
    written += frames.slice(from, start) + (at === 0 ? name : '');
    from = end;
  }
  return written + frames.slice(from);
}
