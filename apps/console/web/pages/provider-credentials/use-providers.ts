import { useCatalog, type CatalogEndpoint } from '../../api/use-catalog';

export interface Provider {
  readonly name: string;
  /** Whose credential calls use first; null for a role that may not read the policy. */
  readonly use: NonNullable<CatalogEndpoint['credential']> | null;
}

/** The providers of the catalog, by name. */
export function useProviders(): readonly Provider[] {
  const { data = [] } = useCatalog();
  const byName = new Map<string, Provider>();
  for (const { endpoints } of data)
    for (const { provider: name, credential } of endpoints)
      byName.set(name, { name, use: credential ?? null });
  return [...byName.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
