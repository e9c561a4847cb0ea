import { GatewayError } from '@svc/kernel';

import { type Model, type ModelEndpoint } from '../catalog/catalog';
import { allowsModel, allowsProvider, allowsRegion, allowsRetention, type Policy } from '../policy/policy';
import { credentialSources, isUsable } from './credential-sources';
import { type OrganizationFacts, type RoutingCall } from './routing-facts';

type NamedModel = Pick<RoutingCall, 'modelId'>;

/** What an endpoint must satisfy to be there for an organization at all, whatever a call asks for. */
export interface AvailabilityConstraint {
  admits(endpoint: ModelEndpoint, facts: OrganizationFacts): boolean;
  /** When it leaves nothing of what the constraints before it admitted. */
  refusal(call: NamedModel): GatewayError;
}

const modelAllowed: AvailabilityConstraint = {
  admits: (endpoint, { policy }) => allowsModel(policy, endpoint),
  refusal: modelNotFound,
};

const providerUsable: AvailabilityConstraint = {
  admits: ({ provider }, facts) => isUsable(provider, facts),
  refusal: modelNotFound,
};

const providerAllowed = policyConstraint(
  allowsProvider,
  'its `allowed_providers` and `denied_providers` leave no provider of it',
);

const regionAllowed = policyConstraint(
  allowsRegion,
  'its `allowed_regions` and `denied_regions` leave no region of it',
);

const retentionAllowed = policyConstraint(
  allowsRetention,
  'its `require_zero_retention` leaves no provider of it',
);

const credentialModeServed: AvailabilityConstraint = {
  admits: ({ provider }, facts) => credentialSources(provider, facts).length > 0,
  refusal: (call) => noEligibleRoute(call, 'its `credential_mode` leaves no credential for a provider of it'),
};

/** In the order in which they are judged: the first that leaves nothing decides the answer. */
export const availability: readonly AvailabilityConstraint[] = [
  modelAllowed,
  providerUsable,
  providerAllowed,
  regionAllowed,
  retentionAllowed,
  credentialModeServed,
];

/** Whether some route could serve the model, so that it is listed (interface.md, `GET /v1/models`). */
export function isAvailable({ endpoints }: Model, facts: OrganizationFacts): boolean {
  return endpoints.some((endpoint) => availability.every(({ admits }) => admits(endpoint, facts)));
}

/** A mistyped id is shown back, but not at any length. */
const SHOWN_ID_LENGTH = 200;

/** One answer for what does not exist and what is not available: it never hints which (interface.md, Errors). */
export function modelNotFound({ modelId }: NamedModel): GatewayError {
  return new GatewayError(
    'notFound',
    `The model \`${modelId.slice(0, SHOWN_ID_LENGTH)}\` does not exist or is not available to your organization.`,
    { param: 'model' },
  );
}

function policyConstraint(
  allows: (policy: Policy, endpoint: ModelEndpoint) => boolean,
  which: string,
): AvailabilityConstraint {
  return {
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
