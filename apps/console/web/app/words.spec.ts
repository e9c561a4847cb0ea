import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const WEB = join(__dirname, '..');
const GLOSSARY = join(WEB, '../../../docs/glossary.md');

/** The phrases of the glossary's table "Words that the console does not use". */
function unusedPhrases(): readonly string[] {
  const [, table = ''] = readFileSync(GLOSSARY, 'utf8').split('## Words that the console does not use');
  const rows = [...table.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, phrases = '']) => phrases);
  // The first two rows are the header and its rule.
  return rows.slice(2).flatMap((phrases) => phrases.split(', '));
}

/** The words that a reader sees: the literals of every `text.ts`, without the code around them. */
function texts(): readonly { readonly file: string; readonly literal: string }[] {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|[/-])text\.ts$/.test(name),
  );
  return files.flatMap((name) =>
    [...readFileSync(join(WEB, name), 'utf8').matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
      ([, quoted, template]) => ({ file: relative(WEB, join(WEB, name)), literal: quoted ?? template ?? '' }),
    ),
  );
}

const escaped = (phrase: string): string => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('the words of the console', () => {
  const phrases = unusedPhrases();
  const all = texts();

  it('are looked at: the glossary has phrases, and the console has texts', () => {
    expect(phrases.length).toBeGreaterThan(20);
    expect(all.length).toBeGreaterThan(2_000);
  });

  it.each(phrases)('leave out “%s”', (phrase) => {
    const pattern = new RegExp(
      `(?<![\\w“])${escaped(phrase)}(?!\\w)`,
      phrase === phrase.toLowerCase() ? 'i' : '',
    );
    expect(all.filter(({ literal }) => pattern.test(literal))).toEqual([]);
  });
});
