const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

const NOT_A_BASE = 'must be an http or https address without user, query and fragment';

/** The environment that `${NAME}` and `${NAME:-default}` are filled from. */
export type CatalogEnvironment = Readonly<Record<string, string | undefined>>;

export type BaseUrl = { readonly url: string } | { readonly problem: string };

/**
 * A `base_url` of the file as the address to call. As in compose files, a default also stands in for an empty
 * variable. Problems name the variable, never its value.
 */
export function readBaseUrl(written: string, env: CatalogEnvironment): BaseUrl {
  const missing: string[] = [];
  const filled = written.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = fallback === undefined ? env[name] : env[name] || fallback;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  if (missing.length > 0) return { problem: `needs the variable ${missing.join(', ')}, which is not set` };
  if (!URL.canParse(filled)) return { problem: NOT_A_BASE };
  const { protocol, username, password, search, hash, href } = new URL(filled);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) return { problem: NOT_A_BASE };
  return { url: href.replace(/\/+$/, '') };
}
