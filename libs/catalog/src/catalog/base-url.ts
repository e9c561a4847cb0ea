import { fillVariables, type CatalogEnvironment } from './fill-variables';

const NOT_A_BASE = 'must be an http or https address without user, query and fragment';

type BaseUrl = { readonly url: string } | { readonly problem: string };

/** Expands and checks a `base_url` of the file. Problems name a variable, never its value. */
export function readBaseUrl(written: string, env: CatalogEnvironment): BaseUrl {
  const filled = fillVariables(written, env);
  if ('problem' in filled) return filled;
  if (!URL.canParse(filled.text)) return { problem: NOT_A_BASE };
  const { protocol, username, password, search, hash, href } = new URL(filled.text);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) return { problem: NOT_A_BASE };
  return { url: href.replace(/\/+$/, '') };
}
