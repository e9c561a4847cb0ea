import { join } from 'node:path';
import {
  anchorsOf,
  brokenCitations,
  brokenLinks,
  unknownCitations,
  droppedFunctions,
  undeclaredTypes,
} from './reference';
import { readRepository, type Repository } from './repository';

/** Skipped, because it plants errors. */
const THIS_SPEC = 'infra/lint/reference.spec.ts';

const checks = { brokenLinks, brokenCitations, unknownCitations, undeclaredTypes, droppedFunctions };

describe('the links and citations of the repository', () => {
  const all = new Map(readRepository(join(__dirname, '../..')));
  all.delete(THIS_SPEC);

  it.each(Object.entries(checks))('holds: %s', (_, check) => {
    expect(check(all)).toEqual([]);
  });

  it('are read from pages, code and SQL', () => {
    const paths = ['README.md', 'libs/kernel/src/money.ts', 'libs/database/sql/ledger/book_calls.sql'];
    expect(paths.map((path) => (all.get(path) ?? '').length > 100)).toEqual([true, true, true]);
    expect([...all.values()].join().match(/docs\/reference\/[\w-]+\.md#/g)!.length).toBeGreaterThan(150);
  });
});

describe('a planted error', () => {
  const planted = (files: Record<string, string>): Repository =>
    new Map(
      Object.entries({ 'docs/money.md': '# Money\n\n## Holds\n', 'docs/decisions/0001-a.md': '', ...files }),
    );

  it('in a link is found: no such file, no such heading, on another page or the same one', () => {
    const text =
      '[a](../docs/money.md#holds) [b](../docs/money.md#charges) [c](gone.md) [d](#here) [e](https://x.y)';
    expect(brokenLinks(planted({ 'apps/README.md': `# Here\n\n${text} [f](#there)\n` }))).toEqual([
      'apps/README.md: ../docs/money.md#charges',
      'apps/README.md: gone.md',
      'apps/README.md: #there',
    ]);
  });

  it('in a citation is found: a page, a heading, a decision, a file of SQL', () => {
    const text = `
      /** (docs/money.md#holds, docs/decisions/0001) */
      /** (docs/money.md#charges), (docs/gone.md), (docs/decisions/0002), (libs/database/sql/a/b.sql) */`;
    expect(brokenCitations(planted({ 'libs/a.ts': text }))).toEqual([
      'libs/a.ts: docs/money.md#charges',
      'libs/a.ts: docs/gone.md',
      'libs/a.ts: libs/database/sql/a/b.sql',
      'libs/a.ts: docs/decisions/0002',
    ]);
  });

  it('that cites a text outside the repository is found, except standards', () => {
    const text = `
      /** (RFC 6749 section 4.1.3), (money.md), (docs/{a,b}.md), https://example.com/page.md */
      /** (elsewhere.md
       * section 5) */`;
    expect(unknownCitations(planted({ 'libs/a.ts': text }))).toEqual([
      'libs/a.ts: elsewhere.md',
      expect.stringMatching(/elsewhere\.md section 5$/),
    ]);
  });

  it('in the glossary is found: a type that is declared nowhere', () => {
    const glossary = '## Words that mean several things\n\n`Call`, `Row` and `Gone`, not `level`\n';
    const sources = { 'libs/a.ts': 'export interface Call {}', 'libs/b.prisma': 'model Row {}' };
    expect(undeclaredTypes(planted({ 'README.md': glossary, ...sources }))).toEqual(['Gone']);
  });

  it('in the name of an SQL function is found: one that was dropped', () => {
    const files = {
      'libs/database/prisma/migrations/1/migration.sql':
        'DROP FUNCTION open_holds(int); DROP FUNCTION IF EXISTS close_holds(int);',
      'libs/database/sql/ledger/open_holds.sql': '',
      'docs/scale.md': '`open_holds` and `close_holds()`',
    };
    expect(droppedFunctions(planted(files))).toEqual(['docs/scale.md: close_holds']);
  });

  it('in the name of a heading is found as GitHub writes it', () => {
    const page =
      '# One, or `two`?\n\n## A [link](x.md)\n\n## A link\n\n```sh\n# no heading\n```\n\n### snake_case\n';
    expect([...anchorsOf(page)]).toEqual(['one-or-two', 'a-link', 'a-link-1', 'snake_case']);
  });
});
