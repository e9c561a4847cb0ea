import { type Provider } from '../catalog/catalog';
import { type OrganizationFacts } from './routing-facts';

/** Whose credential an attempt is made with; `none` where the provider takes none. */
export type CredentialSource = 'own' | 'platform' | 'none';

/**
 * The credentials that a provider may be called with, in the order in which they are tried. None: the policy's
 * `credential_mode` leaves the provider out, or nobody has a credential for it.
 */
export function credentialSources(provider: Provider, facts: OrganizationFacts): readonly CredentialSource[] {
  const { credentialMode: mode } = facts.policy;
  const hasOwn = mode !== 'platform_only' && facts.hasOwnCredential(provider);
  const others: CredentialSource[] = [];
  if (provider.credentialEnv === null) {
    if (!hasOwn || mode === 'own_first') others.push('none');
  } else if (mode !== 'own_only' && facts.hasPlatformCredential(provider)) others.push('platform');
  return hasOwn ? ['own', ...others] : others;
}

/** Whether anybody has what the provider asks for, whatever the policy says about using it. */
export function isUsable(provider: Provider, facts: OrganizationFacts): boolean {
  return (
    provider.credentialEnv === null ||
    facts.hasPlatformCredential(provider) ||
    facts.hasOwnCredential(provider)
  );
}
