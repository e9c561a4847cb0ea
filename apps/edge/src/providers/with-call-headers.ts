import { ANTHROPIC_BETA, betaNames } from '@svc/protocol';
import { type Header, type ProviderDialect } from './provider-dialect';

/**
 * The headers of one call: its own take the place of the protocol's, but not of those that the catalog sets. Lists of
 * betas are joined (docs/reference/inference-and-compatibility.md#anthropics-headers).
 */
export function withCallHeaders(
  { headers, fixedHeaders }: Pick<ProviderDialect, 'headers' | 'fixedHeaders'>,
  callHeaders: readonly Header[],
): Iterable<Header> {
  if (callHeaders.length === 0) return headers;
  const merged = new Map(headers);
  for (const [name, value] of callHeaders) {
    const fixed = fixedHeaders.has(name) ? merged.get(name) : undefined;
    if (fixed === undefined) merged.set(name, value);
    else if (name === ANTHROPIC_BETA) merged.set(name, betaNames(`${fixed},${value}`).join(','));
  }
  return merged;
}
