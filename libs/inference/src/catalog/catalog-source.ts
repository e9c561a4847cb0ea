import { LineCounter, parseDocument, type Document } from 'yaml';

/** A place in the file: `['endpoints', 3, 'prices']`. */
export type CatalogPath = readonly (string | number)[];

/** The catalog file cannot be used. The message has one line a problem: `file:line: path: what is wrong`. */
export class CatalogError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'CatalogError';
  }
}

/** The text of a catalog, which knows its lines and collects what is wrong with it. */
export class CatalogSource {
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  private readonly problems: { readonly line: number; readonly text: string }[] = [];

  constructor(
    text: string,
    private readonly file: string,
  ) {
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    for (const error of this.document.errors) {
      this.problems.push({ line: this.lines.linePos(error.pos[0]).line, text: error.message });
    }
  }

  /** @throws CatalogError when the text is not YAML */
  read(): unknown {
    this.refuse();
    return this.document.toJS() as unknown;
  }

  has(path: CatalogPath): boolean {
    return this.document.hasIn(path);
  }

  report(path: CatalogPath, problem: string): void {
    const name = path.reduce<string>(
      (text, key) =>
        typeof key === 'number' ? `${text}[${String(key)}]` : text === '' ? key : `${text}.${key}`,
      '',
    );
    this.problems.push({ line: this.lineOf(path), text: name === '' ? problem : `${name}: ${problem}` });
  }

  /** @throws CatalogError with every problem reported so far, in the order of the file */
  refuse(): void {
    if (this.problems.length === 0) return;
    const inOrder = this.problems.toSorted((a, b) => a.line - b.line);
    throw new CatalogError(inOrder.map(({ line, text }) => `${this.file}:${String(line)}: ${text}`));
  }

  /** What is missing has no line: then the nearest that surrounds it. */
  private lineOf(path: CatalogPath): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = this.document.getIn(path.slice(0, depth), true) as
        { range?: readonly number[] } | undefined;
      const offset = node?.range?.[0];
      if (offset !== undefined) return this.lines.linePos(offset).line;
    }
    return 1;
  }
}
