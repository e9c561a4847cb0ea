import { type Catalog } from '@svc/catalog';
import { availableEndpoints, type OrganizationFacts } from '@svc/policy';
import { type IncidentStanding } from './incident';

/**
 * True where the policy of an organization leaves it, for a model that it may use, only endpoints of these providers and
 * models (docs/reference/incidents.md#affected-organizations). True only for a policy with an allow list: without one,
 * what the organization calls tells what it relies on.
 */
export function reliesOn(
  { models }: Catalog,
  facts: OrganizationFacts,
  scope: Pick<IncidentStanding, 'providers' | 'models'>,
): boolean {
  const { allowedModels, allowedProviders, allowedRegions } = facts.policy;
  if (allowedModels === null && allowedProviders === null && allowedRegions === null) return false;
  return [...models.values()].some((model) => {
    const left = availableEndpoints(model, facts);
    return (
      left.length > 0 &&
      left.every(
        ({ modelId, provider }) => scope.models.includes(modelId) || scope.providers.includes(provider.name),
      )
    );
  });
}
