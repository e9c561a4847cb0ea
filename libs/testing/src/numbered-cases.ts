/** A row of a guide's tables with a number in its first cell. */
interface NumberedCase {
  readonly number: number;
  /** The rest of the row. */
  readonly text: string;
}

/** The numbered rows of a Markdown text. */
export const casesListedIn = (markdown: string): NumberedCase[] =>
  [...markdown.matchAll(/^\| (\d+) +\|(.*)$/gm)].map(([, number, text = '']) => ({
    number: Number(number),
    text,
  }));

/** The numbers at the start of test names and of rows used in them: `'7: …'`, `'7, 12: …'`, `'7 12 …'`. */
export function casesTriedIn(spec: string): Set<number> {
  const labels = spec.matchAll(/(?:[([]|^)\s*['"`]((?:\d{1,2}(?:, |: | ))+)[^'"`\d]/gm);
  return new Set([...labels].flatMap(([, label = '']) => (label.match(/\d+/g) ?? []).map(Number)));
}
