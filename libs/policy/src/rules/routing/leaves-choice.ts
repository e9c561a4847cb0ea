import { type Model, type ModelEndpoint } from '@svc/catalog';
import { type Operation } from '@svc/protocol';
import { holdsAffinity } from '../affinity/affinity-scope';
import { allowsEndpoint } from '../policy/policy';
import { type CredentialSource, credentialSources } from './credential-sources';
import { serves } from './native-operation';
import { type OrganizationFacts } from './routing-facts';

/** How many credentials of that owner there are for the endpoint. */
type PoolSizeOf = (endpoint: ModelEndpoint, source: Exclude<CredentialSource, 'none'>) => number;

/**
 * True where affinity has anything to choose: there are several places for the call, of one owner, because own credentials come first
 * anyway. It asks what does not change from call to call, and not how endpoints and credentials are doing.
 */
export function leavesChoice(
  { endpoints }: Model,
  operation: Operation,
  facts: OrganizationFacts,
  poolSizeOf: PoolSizeOf,
): boolean {
  const { policy } = facts;
  let [own, others, isHeld] = [0, 0, false];
  for (const endpoint of endpoints) {
    if (!serves(endpoint, operation) || !allowsEndpoint(policy, endpoint)) continue;
    const sources = credentialSources(endpoint, facts);
    if (sources.length === 0) continue;
    isHeld ||= holdsAffinity(policy, endpoint);
    for (const source of sources) {
      if (source === 'own') own += poolSizeOf(endpoint, source);
      else others += source === 'none' ? 1 : poolSizeOf(endpoint, source);
    }
  }
  return isHeld && (own > 1 || others > 1);
}
