import { LineCounter, parseDocument, type Document } from 'yaml';

/** A position in the file: `['endpoints', 3, 'prices']`. */
export type CatalogPath = readonly (string | number)[];

/** The catalog file is not valid. The message has one line per problem: `file:line: path: what is wrong`. */
export class CatalogError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'CatalogError';
  }
}

/** @throws CatalogError with every problem of the files, in their order */
export function refuseCatalog(sources: readonly CatalogSource[]): void {
  const problems = sources.flatMap((source) => source.problemsInOrder());
  if (problems.length > 0) throw new CatalogError(problems);
}

/** The text of a catalog file. It maps paths to lines and collects problems. */
export class CatalogSource {
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  private readonly problems: { readonly line: number; readonly text: string }[] = [];

  constructor(
    text: string,
    readonly file: string,
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

  /** @throws CatalogError with every problem reported so far */
  refuse(): void {
    refuseCatalog([this]);
  }

  /** The problems so far, in the order of the file. */
  problemsInOrder(): readonly string[] {
    const inOrder = this.problems.toSorted((a, b) => a.line - b.line);
    return inOrder.map(({ line, text }) => `${this.file}:${String(line)}: ${text}`);
  }

  /** The line of a path. A missing field has no line, so the line of its nearest parent is used. */
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
