import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Migration {
  /** Of its folder: `20261128000000_schema`. Migrations are applied in the order of their names. */
  readonly name: string;
  readonly sql: string;
}

const MIGRATIONS = 'libs/database/prisma/migrations';

export function readMigrations(workspace: string): readonly Migration[] {
  const folder = join(workspace, MIGRATIONS);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** True where a migration is one statement that PostgreSQL takes outside of transactions only. */
export const runsAlone = ({ sql }: Migration): boolean =>
  /^(?:create (?:unique )?index|drop index|reindex \w+) concurrently\b/i.test(
    sql.replaceAll(/--.*$/gm, '').trimStart(),
  );

/** Compiled or not, this file is somewhere below the folder that the migrations are in. */
export function findWorkspace(folder: string): string {
  if (existsSync(join(folder, MIGRATIONS))) return folder;
  if (dirname(folder) === folder) throw new Error(`${MIGRATIONS} is missing: migrations cannot run`);
  return findWorkspace(dirname(folder));
}
