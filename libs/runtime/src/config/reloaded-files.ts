import { readFileSync } from 'node:fs';
import { type Logger } from '../observability';

/** The content of a file. */
export interface FileText {
  readonly file: string;
  readonly text: string;
}

interface ReloadedFilesOptions<T> {
  readonly files: readonly string[];
  /** Throws for invalid texts. */
  readonly parse: (texts: readonly FileText[]) => T;
  readonly logger: Logger;
}

/**
 * The parsed content of several files, read at the start and again by `reload`. A value returned by `current` never
 * changes.
 */
export class ReloadedFiles<T> {
  private texts: readonly FileText[] = [];
  private content: T;

  /** @throws the errors of reading or parsing. */
  constructor(private readonly options: ReloadedFilesOptions<T>) {
    this.content = this.read();
  }

  current(): T {
    return this.content;
  }

  /** All or nothing: if one of the files is invalid, the previous content stays in effect. */
  reload(): void {
    const { logger, files } = this.options;
    try {
      this.content = this.read();
      logger.info({ files }, 'files reloaded');
    } catch (error) {
      logger.error({ files, err: error }, 'files not reloaded; the previous content stays in effect');
    }
  }

  /** For what the files refer to. Files that changed meanwhile stay as they were read last. */
  parseAgain(): void {
    const { logger, files, parse } = this.options;
    try {
      this.content = parse(this.texts);
    } catch (error) {
      logger.error({ files, err: error }, 'files not parsed again; the previous content stays in effect');
    }
  }

  private read(): T {
    const { files, parse } = this.options;
    const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    const content = parse(texts);
    this.texts = texts;
    return content;
  }
}
