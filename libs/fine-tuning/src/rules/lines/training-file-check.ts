import { type LineFault } from '@svc/kernel';
import { exampleFault } from './example-check';
import { exampleTokens } from './example-tokens';
import { type FieldFault, type JsonObject } from './field-fault';
import { FAULTS_MAX, LINE_BYTES_MAX, LINES_MIN } from './line-limits';

/** The facts about a file, once all of it was read. */
export interface CheckedFile {
  /** Examples. Blank lines at the end are none. */
  readonly lineCount: number;
  readonly tokenCount: number;
  /** At most 20; empty for a training file. */
  readonly faults: readonly LineFault[];
}

const NEWLINE = 0x0a;
const NOT_UTF8: FieldFault = { param: null, message: 'must be UTF-8' };
const NOT_JSON: FieldFault = { param: null, message: 'must be a JSON object' };
const MARKED: FieldFault = { param: null, message: 'must not begin with a byte order mark' };
const TOO_LONG: FieldFault = { param: null, message: `must have at most ${String(LINE_BYTES_MAX)} bytes` };
const TOO_FEW: FieldFault = {
  param: null,
  message: `must not be the last: a file has ${String(LINES_MIN)} lines or more`,
};

/**
 * Checks a training file as it arrives (docs/reference/fine-tuning.md#training-files). It keeps one line at most, and of a line that is too
 * long nothing.
 */
export class TrainingFileCheck {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly faults: LineFault[] = [];
  private pieces: Uint8Array[] = [];
  private length = 0;
  private line = 1;
  private examples = 0;
  private tokens = 0;
  /** The first blank line that no other line has followed yet. */
  private blankLine: number | null = null;

  /** True where no fault was found so far. */
  get isGood(): boolean {
    return this.faults.length === 0;
  }

  /** True where so many faults were found that the rest need not be read. */
  get isSettled(): boolean {
    return this.faults.length >= FAULTS_MAX;
  }

  /** The bytes must not change afterwards. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  end(): CheckedFile {
    if (this.length > 0) this.endLine();
    if (this.isGood && this.examples < LINES_MIN) this.report(Math.max(this.examples, 1), TOO_FEW);
    return { lineCount: this.examples, tokenCount: this.tokens, faults: this.faults };
  }

  private keep(piece: Uint8Array): void {
    this.length += piece.length;
    if (this.length > LINE_BYTES_MAX) this.pieces = [];
    else if (piece.length > 0) this.pieces.push(piece);
  }

  private endLine(): void {
    const [pieces, length] = [this.pieces, this.length];
    [this.pieces, this.length] = [[], 0];
    if (length > LINE_BYTES_MAX) this.report(this.line, TOO_LONG);
    else this.checkLine(pieces);
    this.line += 1;
  }

  private checkLine(pieces: readonly Uint8Array[]): void {
    const text = this.decoded(pieces);
    if (text === null) {
      this.report(this.line, NOT_UTF8);
      return;
    }
    if (text.trim() === '') {
      this.blankLine ??= this.line;
      return;
    }
    if (this.blankLine !== null) this.report(this.blankLine, NOT_JSON);
    this.blankLine = null;
    const value = parsed(text);
    const fault = text.startsWith('\uFEFF') ? MARKED : value === undefined ? NOT_JSON : exampleFault(value);
    if (fault !== null) {
      this.report(this.line, fault);
      return;
    }
    this.examples += 1;
    this.tokens += exampleTokens(value as JsonObject);
  }

  private decoded(pieces: readonly Uint8Array[]): string | null {
    try {
      return this.decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    } catch {
      return null;
    }
  }

  private report(line: number, { param, message }: FieldFault): void {
    if (this.isSettled) return;
    this.faults.push({ line, param, message: param === null ? message : `${param} ${message}` });
  }
}

/** @returns undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
