/** A row of a guide's tables whose first cell is its number. */
export interface NumberedCase {
  readonly number: number;
  /** The rest of the row. */
  readonly text: string;
}

/** The numbered rows of a text in Markdown, as they stand. */
export const casesListedIn = (markdown: string): NumberedCase[] =>
  [...markdown.matchAll(/^\| (\d+) +\|(.*)$/gm)].map(([, number, text = '']) => ({
    number: Number(number),
    text,
  }));

/** The numbers before names of tests and before rows that go into names: `'7: …'`, `'7, 12: …'`, `'7 12 …'`. */
export function casesTriedIn(spec: string): Set<number> {
  const labels = spec.matchAll(/(?:[([]|^)\s*['"`]((?:\d{1,2}(?:, |: | ))+)[^'"`\d]/gm);
  return new Set([...labels].flatMap(([, label = '']) => (label.match(/\d+/g) ?? []).map(Number)));
}
