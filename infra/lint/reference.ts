import { dirname, join } from 'node:path';
import { type Repository } from './repository';

const MIGRATIONS = 'libs/database/prisma/migrations/';
const SQL = 'libs/database/sql/';

const isPage = (path: string): boolean => path.endsWith('.md');

/** A page without its code blocks, which contain no headings or links. */
const prose = (page: string): string => page.replaceAll(/^ *(```+)[^]*?^ *\1 *$/gm, '');

/** The anchors that GitHub makes of a page's headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let name = slug;
    for (let copy = 1; anchors.has(name); copy += 1) name = `${slug}-${String(copy)}`;
    anchors.add(name);
  }
  return anchors;
}

const exists = (repository: Repository, path: string): boolean =>
  path === '.' || repository.has(path) || [...repository.keys()].some((file) => file.startsWith(`${path}/`));

/** Null when the target exists; `path#anchor` names a heading of a page. */
function missing(repository: Repository, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const normal = path.replace(/\/$/, '');
  if (!exists(repository, normal)) return target;
  if (anchor === undefined || !isPage(normal)) return null;
  return anchorsOf(repository.get(normal) ?? '').has(anchor) ? null : target;
}

/** Links between pages, and from pages to files, whose targets do not exist. */
export const brokenLinks = (repository: Repository): string[] =>
  [...repository]
    .filter(([file]) => isPage(file))
    .flatMap(([file, text]) => {
      const links = prose(text)
        .replaceAll(/`[^`\n]*`/g, '')
        .matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g);
      return [...links].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return [];
        const target = link.startsWith('#') ? file + link : join(dirname(file), decodeURI(link));
        return missing(repository, target) === null ? [] : [`${file}: ${link}`];
      });
    });

/** Pages, headings, decisions and SQL files that a text cites by their path from the root, and that do not exist. */
export const brokenCitations = (repository: Repository): string[] =>
  [...repository].flatMap(([file, text]) => {
    const paths = text.matchAll(
      /(?<![\w./-])(docs\/[\w/-]+\.md(?:#[\w-]+)?|libs\/database\/sql\/[\w/-]+\.sql)/g,
    );
    const numbers = text.matchAll(/docs\/decisions\/(\d{4})\b(?!-)/g);
    const pages = [...paths]
      .filter(([, path = '']) => missing(repository, path) !== null)
      .map(([path]) => path);
    const decisions = [...numbers]
      .filter(
        ([, number = '']) =>
          ![...repository.keys()].some((path) => path.startsWith(`docs/decisions/${number}-`)),
      )
      .map(([citation]) => citation);
    return [...pages, ...decisions].map((citation) => `${file}: ${citation}`);
  });

/** A published standard, whose sections may be cited. */
const PUBLISHED = /\b(?:RFC|SP) [\d-]+[^.]*$/;

/**
 * Citations of texts outside the repository: unknown pages, and sections without a named standard. Released migrations are
 * skipped, because they never change.
 */
export function unknownCitations(repository: Repository): string[] {
  const ends = new Set([...repository.keys()].flatMap(endsOf));
  return [...repository].flatMap(([file, text]) => {
    if (file.startsWith(MIGRATIONS)) return [];
    const flowing = text.replaceAll(/\s+(?:\*|\/\/|--|#)?\s*/g, ' ');
    const names = Array.from(
      flowing.matchAll(/(?<![\w.:/*{}-])(?:\.{1,2}\/)*((?:[\w-]+\/)*[\w-]+\.md)\b/g),
      ([, name = '']) => name,
    ).filter((name) => !ends.has(name));
    const sections = Array.from(flowing.matchAll(/(.{0,80})\bsections? \d+/g))
      .filter(([, before = '']) => !PUBLISHED.test(before))
      .map(([sentence]) => sentence);
    return [...names, ...sections].map((citation) => `${file}: ${citation}`);
  });
}

/** The paths by which a file can be cited: `docs/reference/money.md`, `reference/money.md`, `money.md`. */
const endsOf = (path: string): string[] => path.split('/').map((_, at, parts) => parts.slice(at).join('/'));

/** Types in the glossary of README that are declared nowhere. */
export function undeclaredTypes(repository: Repository): string[] {
  const [, glossary = ''] = (repository.get('README.md') ?? '').split('## Words that mean several things');
  const names = Array.from(glossary.matchAll(/`([A-Z]\w+)`/g), ([, name = '']) => name);
  const sources = [...repository].filter(([file]) => /^(?:apps|libs)\/.*\.(?:ts|prisma)$/.test(file));
  return names.filter((name) => {
    const declaration = new RegExp(`\\b(?:class|enum|interface|model|type) ${name}\\b`);
    return !sources.some(([, text]) => declaration.test(text));
  });
}

/** SQL functions that pages name and that were dropped: a migration says so, and they have no file. */
export function droppedFunctions(repository: Repository): string[] {
  const dropped = new Set(
    [...repository]
      .filter(([file]) => file.startsWith(MIGRATIONS))
      .flatMap(([, text]) =>
        Array.from(text.matchAll(/\bDROP FUNCTION (?:IF EXISTS )?(\w+)/gi), ([, name = '']) => name),
      ),
  );
  const living = new Set(
    [...repository.keys()]
      .filter((file) => file.startsWith(SQL))
      .map((file) => file.replace(/^.*\/|\.sql$/g, '')),
  );
  return [...repository]
    .filter(([file]) => isPage(file))
    .flatMap(([file, text]) =>
      Array.from(text.matchAll(/`(\w+)(?:\(\))?`/g), ([, name = '']) => name)
        .filter((name) => dropped.has(name) && !living.has(name))
        .map((name) => `${file}: ${name}`),
    );
}
