import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * A file of `libs/persistence/sql`: the current text of a function, a view, or a trigger's function with its triggers.
 */
export interface SqlFile {
  /** The path below `sql/`: `ledger/book_calls.sql`. */
  readonly path: string;
  readonly text: string;
}

const SQL_FOLDER = 'libs/persistence/sql';

/** Sorted by path. */
export function readSqlFiles(workspace: string): readonly SqlFile[] {
  const folder = join(workspace, SQL_FOLDER);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

const CREATED = /^CREATE OR REPLACE (FUNCTION|VIEW|TRIGGER) (\w+)/gm;
const TRIGGER_TABLE = (name: string) =>
  new RegExp(`^CREATE OR REPLACE TRIGGER ${name} [^;]*? ON (\\w+)`, 'gm');

/**
 * The objects that a file creates: `function book_calls`, `view budget_drift`, `trigger open_lane on
 * webhook_endpoints`.
 */
export function objectsIn({ text }: SqlFile): readonly string[] {
  const made = [...text.matchAll(CREATED)].flatMap(([, kind = '', name = '']) =>
    kind === 'TRIGGER'
      ? [...text.matchAll(TRIGGER_TABLE(name))].map(([, table = '']) => `trigger ${name} on ${table}`)
      : [`${kind.toLowerCase()} ${name}`],
  );
  return [...new Set(made)];
}

/** A file is named after the first thing in it. */
export const isNamedAfterItsObject = (file: SqlFile): boolean =>
  objectsIn(file)[0]?.split(' ')[1] === basename(file.path, '.sql');
