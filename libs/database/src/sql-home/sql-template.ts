import { basename, dirname, join } from 'node:path';
import { type SqlFile } from './sql-file';

/** The replacement of each `{{name}}` of a template. */
export type SqlValues = Readonly<Record<string, string>>;

/**
 * A template filled in. It is named after its object, as every file is: the value of the placeholder that the template
 * is named after.
 * @throws Error for a placeholder without a value.
 */
export function fillIn({ path, text }: SqlFile, values: SqlValues): SqlFile {
  const valueOf = (name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} has no value for {{${name}}}`);
    return value;
  };
  return {
    path: join(dirname(path), `${valueOf(basename(path, '.sql'))}.sql`),
    text: text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => valueOf(name)),
  };
}
