import { type ModelEndpoint, type Provider } from '@svc/catalog';
import { type OrganizationFacts } from './routing-facts';

/** The owner of an attempt's credential. `none` where the provider takes none. */
export type CredentialSource = 'own' | 'platform' | 'none';

/**
 * The credentials for an endpoint, in the order of attempts. Empty when the policy's `credential_mode` excludes the
 * provider, or when there is no credential for it.
 */
export function credentialSources(
  { provider, credential }: Pick<ModelEndpoint, 'provider' | 'credential'>,
  facts: OrganizationFacts,
): readonly CredentialSource[] {
  const sources = sourcesAt(provider, facts);
  if (credential === undefined) return sources;
  return sources.filter((source) => (source === 'own') === (credential === 'own'));
}

function sourcesAt(provider: Provider, facts: OrganizationFacts): readonly CredentialSource[] {
  const { credentialMode: mode } = facts.policy;
  const hasOwn = mode !== 'platform_only' && facts.hasOwnCredential(provider);
  const sources = hasOwn ? ownFirst : withoutOwn;
  if (provider.credentialEnv === null) return !hasOwn || mode === 'own_first' ? sources.none : sources.alone;
  return mode !== 'own_only' && facts.hasPlatformCredential(provider) ? sources.platform : sources.alone;
}

/** Keyed by the credentials beside the organization's own. */
type Sources = Readonly<Record<'alone' | 'none' | 'platform', readonly CredentialSource[]>>;
const ownFirst: Sources = { alone: ['own'], none: ['own', 'none'], platform: ['own', 'platform'] };
const withoutOwn: Sources = { alone: [], none: ['none'], platform: ['platform'] };

/** True where there is any credential that the provider needs, regardless of the policy. */
export function isUsable(provider: Provider, facts: OrganizationFacts): boolean {
  return (
    provider.credentialEnv === null ||
    facts.hasPlatformCredential(provider) ||
    facts.hasOwnCredential(provider)
  );
}
