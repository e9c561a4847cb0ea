import { type Provider } from '@svc/catalog';

/** A provider of the catalog, and what it is asked with. */
export interface ProviderAccess {
  readonly provider: Provider;
  /** The credential; null to send none. */
  readonly secret: string | null;
}

const AUTHORIZATION = 'authorization';

/** The provider's own headers and its credential, as calls of its models have them (docs/reference/models-and-catalog.md#your-own-upstream). */
export function providerHeaders({
  provider: { connection },
  secret,
}: ProviderAccess): Record<string, string> {
  const name = connection?.credentialHeader ?? AUTHORIZATION;
  const scheme = connection?.credentialScheme ?? (name === AUTHORIZATION ? 'Bearer' : 'none');
  return {
    'user-agent': 'svc',
    ...Object.fromEntries(connection?.headers ?? []),
    ...(secret === null ? {} : { [name]: scheme === 'Bearer' ? `Bearer ${secret}` : secret }),
  };
}

export const providerQuery = ({ provider: { connection } }: ProviderAccess): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(connection?.query ?? ''));
