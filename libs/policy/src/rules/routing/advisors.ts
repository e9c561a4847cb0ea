import { type ModelEndpoint } from '@svc/catalog';
import { type GatewayError } from '@svc/kernel';
import { allowsModel, type Policy } from '../policy/policy';
import { denialsOf, PolicyRefusal } from '../policy/policy-denials';
import { modelNotFound } from './availability';
import { takesAnthropicHeaders } from './betas';
import { type PlanningFacts, type RoutingCall } from './routing-facts';

type AdvisedCall = Pick<RoutingCall, 'operation' | 'pricedFeatures'>;
type AdvisorFacts = Pick<PlanningFacts, 'policy' | 'catalog'>;

/**
 * True where the policy allows each model that the provider would call as an advisor. A call that is translated for the endpoint has
 * none there.
 */
export const allowsAdvisors = (endpoint: ModelEndpoint, call: AdvisedCall, facts: AdvisorFacts): boolean =>
  deniedAdvisor(endpoint, call, facts) === null;

/** As for a model that does not exist. @param endpoint one that does not admit the call. */
export function advisorRefusal(
  endpoint: ModelEndpoint | undefined,
  call: AdvisedCall,
  facts: AdvisorFacts,
): GatewayError {
  const modelId = (endpoint && deniedAdvisor(endpoint, call, facts)) ?? '';
  const { reason, message } = modelNotFound({ modelId });
  const places = endpoint === undefined ? [] : placesOf(endpoint, modelId, facts);
  return new PolicyRefusal(reason, message, denialsOf('model', facts.policy, places), { param: 'tools' });
}

/** The provider's name of the first advisor that the policy does not allow. */
function deniedAdvisor(
  endpoint: ModelEndpoint,
  { operation, pricedFeatures }: AdvisedCall,
  facts: AdvisorFacts,
): string | null {
  if (pricedFeatures.length === 0 || !takesAnthropicHeaders(endpoint, operation)) return null;
  const advisors = pricedFeatures.flatMap((feature) => (feature.name === 'advisor' ? feature.models : []));
  const denied = advisors.find((name) => {
    const places = placesOf(endpoint, name, facts);
    return places.length === 0
      ? namesModels(facts.policy)
      : !places.every((place) => allowsModel(facts.policy, place));
  });
  return denied ?? null;
}

/** The models of the catalog that the provider calls so. */
const placesOf = ({ provider }: ModelEndpoint, name: string, { catalog }: AdvisorFacts) =>
  [...catalog.models.values()].flatMap(({ endpoints }) =>
    endpoints.filter((one) => one.provider.name === provider.name && one.upstreamModel === name),
  );

/** A name that the catalog does not list can be another of a model that it lists. So a policy that rules out any rules it out. */
const namesModels = ({ allowedModels, deniedModels }: Policy): boolean =>
  allowedModels !== null || deniedModels.size > 0;
