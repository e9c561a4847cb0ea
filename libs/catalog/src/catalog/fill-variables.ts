const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The variables for `${NAME}`, `${NAME:-default}` and `credential_env`. One that is in a file throws where it cannot be read. */
export type CatalogEnvironment = Readonly<Record<string, string | undefined>>;

/** @returns what is wrong with a variable that cannot be read. */
export function problemOfVariable(name: string, env: CatalogEnvironment): string | null {
  try {
    void env[name];
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

type FilledText =
  /** `values`: what the variables had, without empty ones. */
  { readonly text: string; readonly values: readonly string[] } | { readonly problem: string };

/**
 * Expands the variables in a text of the file. As in compose files, the default also replaces an empty variable. The
 * problem names the variable, never its value.
 */
export function fillVariables(written: string, env: CatalogEnvironment): FilledText {
  const names = [...written.matchAll(VARIABLE)].map(([, name = '']) => name);
  const problems = names.flatMap((name) => problemOfVariable(name, env) ?? []);
  if (problems.length > 0) return { problem: problems.join('; ') };
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
