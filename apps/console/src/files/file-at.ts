import { type BuiltFile, type BuiltFiles, FIRST_START_PAGE, START_PAGE } from './built-files';

/** The addresses below it end in the id of a model, which may have a dot: `openai/gpt-4.1`. */
const MODELS = 'models/';

/**
 * The file at a path below `/console/`. A path without a dot is an address of the application, which knows its own pages:
 * it gets the start page. A file that is missing is null, never the start page, so that a browser notices an old build.
 */
export function fileAt(path: string, files: BuiltFiles): BuiltFile | null {
  const file = files.get(path);
  if (file !== undefined) return file;
  if (path === '' && files.has(FIRST_START_PAGE)) return fileAt(FIRST_START_PAGE, files);
  const isPage = !path.includes('.') || path.startsWith(MODELS);
  return (isPage ? files.get(START_PAGE) : undefined) ?? null;
}
