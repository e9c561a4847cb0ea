import { createHash } from 'node:crypto';
import { isFields } from '../body/body-fields';
import { cutDirective } from '../directive/find-directive';
import { tokensOfBytes } from '../prompt/count-tokens';
import { type FineTuningDirective, fineTuningDirectiveSchema, readSettings } from './fine-tuning-settings';

/** A longer line is counted, and not looked into. */
const LINE_BYTES_MAX = 4 << 20;
const NEWLINE = 0x0a;

/** The facts that are kept of a training file. */
export interface FileFacts {
  readonly bytes: number;
  readonly lines: number;
  /** Of all texts; 1 for each started 4 bytes, as in calls. */
  readonly tokens: number;
  /** Of all bytes, in hex: by it a spec sees that the file arrived whole. */
  readonly sha256: string;
  readonly directive: FineTuningDirective;
}

/** Counts a training file that arrives in pieces of any size, and keeps no more of it than the line that it is in. */
export class LineReader {
  private readonly hash = createHash('sha256');
  private line: Buffer[] = [];
  private lineBytes = 0;
  private bytes = 0;
  private lines = 0;
  private tokens = 0;
  private directive: FineTuningDirective = {};

  /** @throws Refusal 400 for a wrong directive in the first line. */
  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  end(): FileFacts {
    if (this.lineBytes > 0) this.endLine();
    const { bytes, lines, tokens, directive } = this;
    return { bytes, lines, tokens, sha256: this.hash.digest('hex'), directive };
  }

  private keep(piece: Buffer): void {
    this.lineBytes += piece.length;
    if (this.lineBytes <= LINE_BYTES_MAX) this.line.push(piece);
    else this.line = [];
  }

  private endLine(): void {
    const { line, lineBytes } = this;
    this.line = [];
    this.lineBytes = 0;
    this.lines++;
    const texts = lineBytes > LINE_BYTES_MAX ? null : textsOf(Buffer.concat(line).toString());
    this.tokens += texts?.reduce((sum, text) => sum + tokensOfBytes(Buffer.byteLength(text)), 0) ?? 0;
    if (this.lines > 1) return;
    const written = texts?.map(cutDirective).find((found) => found !== undefined);
    if (written !== undefined) this.directive = readSettings(fineTuningDirectiveSchema, written.json);
  }
}

/** The texts of the messages of an example; null for a line that is none. */
function textsOf(line: string): readonly string[] | null {
  let example: unknown;
  try {
    example = JSON.parse(line);
  } catch {
    return null;
  }
  const messages: unknown = isFields(example) ? example.messages : null;
  if (!Array.isArray(messages)) return null;
  return messages.flatMap((message: unknown) => (isFields(message) ? contentTexts(message.content) : []));
}

function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    isFields(part) && typeof part.text === 'string' ? [part.text] : [],
  );
}
