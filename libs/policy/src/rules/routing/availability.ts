import { type Model, type ModelEndpoint } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { allowsModel, allowsProvider, allowsRegion, allowsRetention, type Policy } from '../policy/policy';
import { type ConstraintName } from './constraint-name';
import { credentialSources, isUsable } from './credential-sources';
import { type OrganizationFacts, type RoutingCall } from './routing-facts';

type NamedModel = Pick<RoutingCall, 'modelId'>;

/** Where a model is served, or trained. */
type Place = Pick<ModelEndpoint, 'modelId' | 'provider' | 'region' | 'dataRetention' | 'credential'>;

/** A condition for an endpoint to be available to an organization, for any call. */
interface AvailabilityConstraint {
  readonly name: ConstraintName;
  admits(endpoint: Place, facts: OrganizationFacts): boolean;
  /** The error when this constraint excludes the last endpoint. */
  refusal(call: NamedModel): GatewayError;
}

const modelAllowed: AvailabilityConstraint = {
  name: 'model',
  admits: (endpoint, { policy }) => allowsModel(policy, endpoint),
  refusal: modelNotFound,
};

const hasCredential: AvailabilityConstraint = {
  name: 'credential',
  admits: ({ provider }, facts) => isUsable(provider, facts),
  refusal: modelNotFound,
};

const providerAllowed = policyConstraint(
  'provider',
  allowsProvider,
  'its `allowed_providers` and `denied_providers` leave no provider of it',
);

const regionAllowed = policyConstraint(
  'region',
  allowsRegion,
  'its `allowed_regions` and `denied_regions` leave no region of it',
);

const retentionAllowed = policyConstraint(
  'data_retention',
  allowsRetention,
  'its `require_zero_retention` leaves no provider of it',
);

const credentialAllowed: AvailabilityConstraint = {
  name: 'credential_mode',
  admits: (endpoint, facts) => credentialSources(endpoint, facts).length > 0,
  refusal: (call) => noEligibleRoute(call, 'its `credential_mode` leaves no credential for a provider of it'),
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
 * Whether any endpoint of the model is available, so that it is listed
 * (docs/reference/inference-and-compatibility.md#listing-models).
 */
export function isAvailable({ endpoints }: Model, facts: OrganizationFacts): boolean {
  return endpoints.some((endpoint) => isAvailableAt(endpoint, facts));
}

/** The endpoints of the model that the organization may use. */
export const availableEndpoints = (
  { endpoints }: Model,
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

function policyConstraint(
  name: ConstraintName,
  allows: (policy: Policy, endpoint: Place) => boolean,
  which: string,
): AvailabilityConstraint {
  return {
    name,
    admits: (endpoint, { policy }) => allows(policy, endpoint),
    refusal: (call) => noEligibleRoute(call, which),
  };
}

function noEligibleRoute({ modelId }: NamedModel, which: string): GatewayError {
  return new GatewayError(
    'noEligibleRoute',
    `The policy of your organization rules out every route to the model \`${modelId}\`: ${which}.`,
    { param: 'model' },
  );
}
