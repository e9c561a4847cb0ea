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
  const sources = hasOwn ? ownFirst : withoutOwn;
  if (provider.credentialEnv === null) return !hasOwn || mode === 'own_first' ? sources.none : sources.alone;
  return mode !== 'own_only' && facts.hasPlatformCredential(provider) ? sources.platform : sources.alone;
}

/** By what there is beside the organization's own. */
type Sources = Readonly<Record<'alone' | 'none' | 'platform', readonly CredentialSource[]>>;
const ownFirst: Sources = { alone: ['own'], none: ['own', 'none'], platform: ['own', 'platform'] };
const withoutOwn: Sources = { alone: [], none: ['none'], platform: ['platform'] };

/** Whether anybody has what the provider asks for, whatever the policy says about using it. */
export function isUsable(provider: Provider, facts: OrganizationFacts): boolean {
  return (
    provider.credentialEnv === null ||
    facts.hasPlatformCredential(provider) ||
    facts.hasOwnCredential(provider)
  );
}
