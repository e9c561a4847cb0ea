import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deliveryFunctions } from './delivery-functions';
import { type SqlFile } from './sql-file';
import { fillIn, type SqlValues } from './sql-template';

const SQL_FOLDER = 'libs/database/sql';

/** Folders of templates: each file is one text, filled in with each of these values. */
const TEMPLATES: Readonly<Record<string, readonly SqlValues[]>> = { deliveries: deliveryFunctions };

/** Sorted by path. */
export function readSqlFiles(workspace: string): readonly SqlFile[] {
  const folder = join(workspace, SQL_FOLDER);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
    .flatMap((file) => TEMPLATES[dirname(file.path)]?.map((values) => fillIn(file, values)) ?? [file])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
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
