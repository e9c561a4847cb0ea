import { type Provider, type ProviderProtocol } from '@svc/catalog';
import { anthropicDialect } from './anthropic/anthropic-dialect';
import { openaiDialect } from './openai/openai-dialect';
import { type ProviderDialect } from './provider-dialect';

const dialects: Readonly<Record<ProviderProtocol, ProviderDialect>> = {
  openai: openaiDialect,
  anthropic: anthropicDialect,
};

/**
 * The dialect of a provider's protocol, changed as its catalog entry says
 * (docs/reference/models-and-catalog.md#your-own-upstream).
 */
export function dialectOf({ protocol, connection }: Provider): ProviderDialect {
  const dialect = dialects[protocol];
  if (connection === undefined) return dialect;
  const { credentialScheme, headers, query } = connection;
  const credentialHeader = connection.credentialHeader ?? dialect.credentialHeader;
  const own = new Set(headers.map(([name]) => name));
  const search = query === '' ? '' : `?${query}`;
  return {
    paths: Object.fromEntries(Object.entries(dialect.paths).map(([route, path]) => [route, path + search])),
    headers: [...dialect.headers.filter(([name]) => !own.has(name)), ...headers],
    fixedHeaders: own,
    credentialHeader,
    credentialPrefix:
      (credentialScheme ?? (credentialHeader === 'authorization' ? 'Bearer' : 'none')) === 'Bearer'
        ? 'Bearer '
        : '',
  };
}
