import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `value` is undefined where nothing is set. `problem` names variable and path, never what is in a file. */
type GivenValue = { readonly value: string | undefined } | { readonly problem: string };

/**
 * The value of a variable: by itself, by the file that `<NAME>_FILE` names, or by the file of its name in a folder of
 * `SVC_SECRETS_DIR` (docs/configuration.md#secrets-in-files). One line break at the end of a file is cut. An empty
 * variable counts as not set, and so does an empty file of a folder.
 */
export function givenValue(env: Environment, name: string): GivenValue {
  const ways = [valueItself(env, name), valueInFile(env, name), ...valuesInFolders(env, name)];
  const given = ways.filter((way) => way.problem !== undefined || way.value !== '');
  const [first, second] = given;
  if (first === undefined) return { value: undefined };
  if (second !== undefined) return { problem: `${name} is set twice, by ${first.by} and by ${second.by}` };
  return first.problem === undefined ? { value: first.value } : { problem: first.problem };
}

/** A catalog may name anything, `toString` too. */
const textOf = (env: Environment, name: string): string =>
  Object.hasOwn(env, name) ? (env[name] ?? '') : '';

/** One of the ways to set a variable. Empty where it is not used. */
interface Way {
  /** The name of the setting. */
  readonly by: string;
  readonly value: string;
  readonly problem?: string;
}

const valueItself = (env: Environment, name: string): Way => ({ by: 'itself', value: textOf(env, name) });

function valueInFile(env: Environment, name: string): Way {
  const by = `${name}_FILE`;
  const path = textOf(env, by);
  if (path === '') return { by, value: '' };
  const { text, code } = contentOf(path);
  if (text === undefined)
    return { by, value: '', problem: `${by} names a file that cannot be read: ${path} (${code})` };
  return text === '' ? { by, value: '', problem: `${by} names an empty file: ${path}` } : { by, value: text };
}

function valuesInFolders(env: Environment, name: string): Way[] {
  const folders = textOf(env, 'SVC_SECRETS_DIR')
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
  return folders.map((folder) => {
    const by = join(folder, name);
    const { text = '', code } = contentOf(by);
    const isThere = code !== 'ENOENT' && code !== undefined;
    return { by, value: text, ...(isThere && { problem: `${name} cannot be read: ${by} (${code})` }) };
  });
}

type Content =
  { readonly text: string; readonly code?: undefined } | { readonly text?: undefined; readonly code: string };

function contentOf(path: string): Content {
  try {
    return { text: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? 'unknown failure' };
  }
}
