import { type ModelEndpoint } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { OPERATIONS, type Operation } from '@svc/protocol';
import { allowsOperation } from '../policy/policy';
import { denialsOf, denialText, PolicyRefusal } from '../policy/policy-denials';
import { advisorRefusal, allowsAdvisors } from './advisors';
import { availability, availableEndpoints } from './availability';
import { unpriced } from './betas';
import { type ConstraintName } from './constraint-name';
import { credentialSources } from './credential-sources';
import { foreignReference, leastLeftOut } from './left-out';
import { serves } from './native-operation';
import { takesInput } from './parameters';
import { type PlanningFacts, type RoutingCall } from './routing-facts';

/** A condition for an endpoint to be planned for a call, and the error when it excludes the last endpoint. */
interface Constraint {
  readonly name: ConstraintName;
  admits(endpoint: ModelEndpoint, call: RoutingCall, facts: PlanningFacts): boolean;
  /** @param candidates the endpoints that every earlier constraint admitted */
  refusal(call: RoutingCall, candidates: readonly ModelEndpoint[], facts: PlanningFacts): GatewayError;
}

/** The route of each operation, as refusals name it. */
export const route: Readonly<Record<Operation, string>> = {
  chat_completions: 'POST /v1/chat/completions',
  messages: 'POST /v1/messages',
  responses: 'POST /v1/responses',
  embeddings: 'POST /v1/embeddings',
};

const operationAllowed: Constraint = {
  name: 'operation',
  admits: (_, { operation }, { policy }) => allowsOperation(policy, operation),
  refusal: ({ modelId, operation }, candidates, { policy }) => {
    const denials = denialsOf('operation', policy, candidates, operation);
    return new PolicyRefusal(
      'noEligibleRoute',
      `The model \`${modelId}\` cannot be called on ${route[operation]}: ${denialText(denials)} rules that route out.`,
      denials,
      { param: 'model' },
    );
  },
};

const operationServed: Constraint = {
  name: 'operation',
  admits: (endpoint, { operation }) => serves(endpoint, operation),
  refusal: ({ modelId, operation }, candidates, facts) => {
    const available = availableEndpoints({ endpoints: candidates }, facts);
    const named = available.length > 0 ? available : candidates;
    const served = OPERATIONS.filter((one) => named.some((endpoint) => serves(endpoint, one)));
    const hint = served.length === 0 ? '' : ` Use ${served.map((one) => route[one]).join(' or ')}.`;
    return new GatewayError(
      'operationUnsupported',
      `The model \`${modelId}\` is not served on ${route[operation]}.${hint}`,
      { param: 'model' },
    );
  },
};

/** A permissive call drops parameters that an endpoint does not support. A strict call excludes the endpoint, and its input always does. */
const parametersSupported: Constraint = {
  name: 'parameters',
  admits: (endpoint, call, facts) =>
    takesInput(endpoint, call) &&
    (call.compatMode === 'permissive' || leastLeftOut(endpoint, call, facts).length === 0),
  refusal: (call, candidates, facts) => {
    if (!candidates.some((endpoint) => takesInput(endpoint, call))) return tokensRefused(call);
    const lacking = candidates.map((endpoint) =>
      leastLeftOut(endpoint, call, facts).map(({ param }) => param),
    );
    const [leastLacking = []] = lacking.toSorted((a, b) => a.length - b.length);
    const unsupportedEverywhere = leastLacking.find((name) => lacking.every((names) => names.includes(name)));
    const param = unsupportedEverywhere ?? leastLacking[0] ?? 'compat_mode';
    const problem =
      unsupportedEverywhere === undefined
        ? 'together with the others of this call'
        : `for the model \`${call.modelId}\``;
    return new GatewayError(
      'capabilityUnsupported',
      `No provider supports the parameter \`${param}\` ${problem}. Leave it out, or set \`compat_mode\` to "permissive".`,
      { param },
    );
  },
};

const tokensRefused = ({ modelId }: RoutingCall): GatewayError =>
  new GatewayError(
    'capabilityUnsupported',
    `The model \`${modelId}\` takes texts, and no tokens. Send texts in \`input\`.`,
    { param: 'input' },
  );

/** A parameter that changes the price is never left out: the caller would pay for something else than it asked for. */
const betasPriced: Constraint = {
  name: 'priced_betas',
  admits: (endpoint, call, facts) => unpriced(endpoint, call, facts) === null,
  refusal: (call, candidates, facts) => {
    const asking = candidates.map((endpoint) => unpriced(endpoint, call, facts));
    const param = asking.find((name) => name !== null) ?? 'anthropic-beta';
    return new GatewayError(
      'capabilityUnsupported',
      `What \`${param}\` asks for changes the price, and no provider of the model \`${call.modelId}\` has a price for it.`,
      { param },
    );
  },
};

const advisorsAllowed: Constraint = {
  name: 'model',
  admits: allowsAdvisors,
  refusal: (call, [candidate], facts) => advisorRefusal(candidate, call, facts),
};

/** Organizations share the accounts of the platform's credentials, so what one stored there is no other's to name. */
const accountReferencesOwn: Constraint = {
  name: 'account_references',
  admits: (endpoint, call, facts) =>
    foreignReference(endpoint, call) === null || credentialSources(endpoint, facts).includes('own'),
  refusal: (call, candidates) => {
    const param = candidates
      .map((endpoint) => foreignReference(endpoint, call))
      .find((path) => path !== null);
    return new GatewayError(
      'capabilityUnsupported',
      `\`${String(param)}\` names something in the account of a provider. Send its content in the call, or store your own credential for the provider.`,
      { param: param ?? 'model' },
    );
  },
};

const circuitClosed: Constraint = {
  name: 'circuit',
  admits: ({ id }, _, facts) => !facts.openCircuits.has(id),
  refusal: ({ modelId }) =>
    new GatewayError(
      'overloaded',
      `Every provider of the model \`${modelId}\` is failing right now. Please retry.`,
    ),
};

/**
 * In the order of evaluation: the first that leaves no endpoint decides the error. The circuit comes last, because it is asked
 * only of endpoints that are planned with.
 */
export const constraints: readonly Constraint[] = [
  ...availabilityNamed(['model', 'credential']),
  operationAllowed,
  // Before the rules of the policy that look at places: a route that the catalog serves and they rule out is served all the same.
  operationServed,
  ...availabilityNamed(['provider', 'region', 'data_retention', 'credential_mode']),
  betasPriced,
  advisorsAllowed,
  accountReferencesOwn,
  parametersSupported,
  circuitClosed,
];

function availabilityNamed(names: readonly ConstraintName[]): readonly Constraint[] {
  return availability
    .filter(({ name }) => names.includes(name))
    .map(({ name, admits, refusal }) => ({
      name,
      admits: (endpoint, _, facts) => admits(endpoint, facts),
      refusal: (call, candidates, facts) => refusal(call, candidates, facts),
    }));
}
