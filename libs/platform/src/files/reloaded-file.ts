import { readFileSync } from 'node:fs';
import { type Logger } from '../observability/logger';

export interface ReloadedFileOptions<T> {
  readonly file: string;
  /** Throws for a text that can't be used. */
  readonly parse: (text: string) => T;
  readonly logger: Logger;
}

/** What a file says, read at start and again when told to. Whoever took it keeps what they took. */
export class ReloadedFile<T> {
  private content: T;

  /** @throws whatever reading or parsing the file throws. */
  constructor(private readonly options: ReloadedFileOptions<T>) {
    this.content = this.read();
  }

  current(): T {
    return this.content;
  }

  /** A file that can't be used changes nothing: what it said before goes on holding. */
  reload(): void {
    const { logger, file } = this.options;
    try {
      this.content = this.read();
      logger.info({ file }, 'file reloaded');
    } catch (error) {
      logger.error({ file, err: error }, 'file not reloaded; what it said before goes on holding');
    }
  }

  private read(): T {
    const { file, parse } = this.options;
    return parse(readFileSync(file, 'utf8'));
  }
}
