const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The variables for `${NAME}` and `${NAME:-default}`. */
export type CatalogEnvironment = Readonly<Record<string, string | undefined>>;

type FilledText =
  /** `values`: what the variables had, without empty ones. */
  { readonly text: string; readonly values: readonly string[] } | { readonly problem: string };

/**
 * Expands the variables in a text of the file. As in compose files, the default also replaces an empty variable. The
 * problem names the variable, never its value.
 */
export function fillVariables(written: string, env: CatalogEnvironment): FilledText {
  const missing: string[] = [];
  const values: string[] = [];
  const text = written.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = fallback === undefined ? env[name] : env[name] || fallback;
    if (value === undefined) missing.push(name);
    else if (value !== '') values.push(value);
    return value ?? '';
  });
  return missing.length > 0
    ? { problem: `needs the variable ${missing.join(', ')}, which is not set` }
    : { text, values };
}
