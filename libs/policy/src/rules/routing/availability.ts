import { type Model, type ModelEndpoint } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import {
  allowsModel,
  allowsOperation,
  denyingField,
  type JudgedPlace,
  type Policy,
  type PolicyRule,
} from '../policy/policy';
import { denialsOf, denialText, PolicyRefusal } from '../policy/policy-denials';
import { OPERATIONS } from '@svc/protocol';
import { type ConstraintName } from './constraint-name';
import { credentialSources, isUsable } from './credential-sources';
import { serves } from './native-operation';
import { type OrganizationFacts, type RoutingCall } from './routing-facts';

type NamedModel = Pick<RoutingCall, 'modelId'>;

type Place = JudgedPlace & Pick<ModelEndpoint, 'credential'>;

/** A condition for an endpoint to be available to an organization, for any call. */
interface AvailabilityConstraint {
  readonly name: ConstraintName;
  admits(endpoint: Place, facts: OrganizationFacts): boolean;
  /**
   * The error when this constraint excludes the last endpoint.
   * @param candidates the endpoints that every earlier constraint admitted
   */
  refusal(call: NamedModel, candidates: readonly Place[], facts: OrganizationFacts): GatewayError;
}

const modelAllowed: AvailabilityConstraint = {
  name: 'model',
  admits: (endpoint, { policy }) => allowsModel(policy, endpoint),
  refusal: (call, candidates, { policy }) => modelDenied(call, candidates, policy),
};

const hasCredential: AvailabilityConstraint = {
  name: 'credential',
  admits: ({ provider }, facts) => isUsable(provider, facts),
  refusal: (call) => modelNotFound(call),
};

const providerAllowed = policyConstraint('provider', 'provider');
const regionAllowed = policyConstraint('region', 'region');
const retentionAllowed = policyConstraint('data_retention', 'provider');

const credentialAllowed: AvailabilityConstraint = {
  name: 'credential_mode',
  admits: (endpoint, facts) => credentialSources(endpoint, facts).length > 0,
  refusal: ({ modelId }) =>
    new PolicyRefusal(
      'noEligibleRoute',
      `The policy of your organization rules out every route to the model \`${modelId}\`: its \`credential_mode\` leaves no credential for a provider of it.`,
      [{ level: 'organization', field: 'credential_mode' }],
      { param: 'model' },
    ),
};

/** In the order of evaluation: the first that leaves no endpoint decides the error. */
export const availability: readonly AvailabilityConstraint[] = [
  modelAllowed,
  hasCredential,
  providerAllowed,
  regionAllowed,
  retentionAllowed,
  credentialAllowed,
];

/**
 * True where the model has an operation at which no policy refuses a plain call, so that it is listed
 * (docs/reference/inference-and-compatibility.md#listing-models).
 */
export function isAvailable({ endpoints }: Model, facts: OrganizationFacts): boolean {
  return endpoints.some((endpoint) => isCallable(endpoint, facts.policy) && isAvailableAt(endpoint, facts));
}

/** True where the policy allows any of the operations that the endpoint serves. */
export const isCallable = (endpoint: Pick<ModelEndpoint, 'operations'>, policy: Policy): boolean =>
  OPERATIONS.some((operation) => serves(endpoint, operation) && allowsOperation(policy, operation));

/** The endpoints of the model that the organization may use. */
export const availableEndpoints = (
  { endpoints }: Pick<Model, 'endpoints'>,
  facts: OrganizationFacts,
): readonly ModelEndpoint[] => endpoints.filter((endpoint) => isAvailableAt(endpoint, facts));

const isAvailableAt = (endpoint: ModelEndpoint, facts: OrganizationFacts): boolean =>
  availability.every(({ admits }) => admits(endpoint, facts));

/** The error repeats a mistyped id up to this length. */
const SHOWN_ID_LENGTH = 200;

/**
 * The same error for a model that does not exist and one that is not available, without a hint which
 * (docs/reference/inference-and-compatibility.md#routes).
 */
export function modelNotFound({ modelId }: NamedModel): GatewayError {
  return new GatewayError(
    'notFound',
    `The model \`${modelId.slice(0, SHOWN_ID_LENGTH)}\` does not exist or is not available to your organization.`,
    { param: 'model' },
  );
}

/** @param places where the model is served; the error does not tell of them. */
function modelDenied(call: NamedModel, places: readonly Place[], policy: Policy): GatewayError {
  const { reason, message } = modelNotFound(call);
  return new PolicyRefusal(reason, message, denialsOf('model', policy, places), { param: 'model' });
}

function policyConstraint(name: ConstraintName & PolicyRule, what: string): AvailabilityConstraint {
  return {
    name,
    admits: (endpoint, { policy }) => denyingField[name](policy, endpoint) === null,
    refusal: ({ modelId }, candidates, { policy }) => {
      const denials = denialsOf(name, policy, candidates);
      const ruling = denials.length > 1 ? 'leave' : 'leaves';
      return new PolicyRefusal(
        'noEligibleRoute',
        `No route to the model \`${modelId}\` is allowed: ${denialText(denials)} ${ruling} no ${what} of it.`,
        denials,
        { param: 'model' },
      );
    },
  };
}
