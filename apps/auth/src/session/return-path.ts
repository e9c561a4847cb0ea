/** Only a base for parsing: a path that leaves this origin is refused. */
const ANY_ORIGIN = 'http://origin.invalid';
const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f\\]/;

/**
 * Where to go after the login: a path on this origin, with its query. Browsers read `//host`, `/\host` and anything
 * with a tab or newline inside as an address on another origin.
 * @returns null for everything else.
 */
export function safeReturnPath(asked: unknown): string | null {
  if (typeof asked !== 'string' || !asked.startsWith('/') || CONTROL_OR_BACKSLASH.test(asked)) return null;
  const url = URL.parse(asked, ANY_ORIGIN);
  if (url?.origin !== ANY_ORIGIN) return null;
  const path = url.pathname + url.search + url.hash;
  // `/.//host` becomes `//host` once its dots are resolved.
  return path.startsWith('//') ? null : path;
}
