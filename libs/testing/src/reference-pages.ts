import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../../docs/reference');

/** The text of a page of docs/reference, to compare the code with. @param name such as `events.md` */
export const referencePage = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The names of all pages of docs/reference. */
export const referencePages = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.md'));

/**
 * The cells of all table rows in a Markdown text.
 * @param heading such as `## Scopes`: only tables below it, up to the next heading of its level or above.
 */
export function tableRows(markdown: string, heading?: string): string[][] {
  const lines = (heading === undefined ? markdown : below(markdown, heading)).split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('|') === true;
  const rows = lines.filter((line, at) => isRow(line) && isRow(lines[at - 1]) && !/^\|[\s:|-]+$/.test(line));
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function below(markdown: string, heading: string): string {
  const [, text] = `\n${markdown}`.split(`\n${heading}\n`);
  if (text === undefined) throw new Error(`The page has no heading "${heading}"`);
  const [level = ''] = heading.split(' ');
  return text.split(new RegExp(`^#{1,${String(level.length)}} `, 'm'))[0] ?? '';
}

/** A route listed in docs/reference/routes.md. */
interface ListedRoute {
  readonly method: string;
  readonly path: string;
  /** A permission, or a description of the callers. */
  readonly openedBy: string;
  /** Null where access tokens are not accepted. */
  readonly scope: string | null;
}

/** Every route of docs/reference/routes.md. A row for two paths gives two routes. */
export function routesListedIn(markdown: string): ListedRoute[] {
  const scoped = tableRows(markdown, '## Of an organization').map(routeOf);
  return [...tableRows(markdown).map(routeOf), ...scoped.map(withinOrganization)];
}

function routeOf([span = '', openedBy = '', scope = '']: readonly string[]): ListedRoute {
  const [method = '', path = ''] = span.replaceAll('`', '').split(' ');
  const name = scope.replaceAll('`', '');
  return { method, path, openedBy: openedBy.replaceAll('`', ''), scope: name === 'none' ? null : name };
}

const withinOrganization = (route: ListedRoute): ListedRoute => ({
  ...route,
  path: route.path
    .replace('/api/v1/', '/api/v1/organizations/{organization_id}/')
    .replace('/webhook-endpoints', '/webhooks'),
});
