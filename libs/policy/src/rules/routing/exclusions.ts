import { type Model, type ModelEndpoint } from '@svc/catalog';
import { OPERATIONS } from '@svc/protocol';
import { allowsOperation, type Policy, type PolicyRule } from '../policy/policy';
import { denialOf } from '../policy/policy-denials';
import { type LowerPolicyLevel } from '../policy/policy-level';
import { availability, isCallable } from './availability';
import { unpriced } from './betas';
import { type ConstraintName } from './constraint-name';
import { constraints, route } from './constraints';
import { isUsable } from './credential-sources';
import { foreignReference, leastLeftOut } from './left-out';
import { serves } from './native-operation';
import { takesInput } from './parameters';
import { type OrganizationFacts, type PlanningFacts, type RoutingCall } from './routing-facts';

/** Why an endpoint is left out, for those who may read the organization's policy. */
export interface Exclusion {
  readonly constraint: ConstraintName | 'max_attempts' | 'endpoints';
  /** The field of the policy or of the call that leaves it out. Null where no field does. */
  readonly field: string | null;
  /** One sentence. */
  readonly message: string;
}

/** Who denies what a policy denies: `policy version 7`, `the project’s policy version 2`. */
export interface PolicyNames {
  /** The organization's. */
  readonly policyName: string;
  /** Of levels that have a policy. */
  readonly lowerPolicyNames?: Readonly<Partial<Record<LowerPolicyLevel, string>>>;
}

type AvailabilityExplanationFacts = OrganizationFacts & PolicyNames;
export type ExplanationFacts = PlanningFacts & PolicyNames;

/** The first constraint that does not admit the endpoint. Null for an eligible endpoint. */
export function exclusionOf(
  endpoint: ModelEndpoint,
  call: RoutingCall,
  facts: ExplanationFacts,
): Exclusion | null {
  const failed = constraints.find(({ admits }) => !admits(endpoint, call, facts));
  if (failed === undefined) return null;
  return { constraint: failed.name, ...reasonOf(failed.name, endpoint, call, facts) };
}

/** Every reason for which no call of the organization may use the endpoint. Empty for an eligible endpoint. */
export function unavailability(
  endpoint: ModelEndpoint,
  facts: AvailabilityExplanationFacts,
): readonly Exclusion[] {
  const failed = availability.filter(({ name, admits }) => {
    // Without any credential, the mode is no further reason.
    if (name === 'credential_mode' && !isUsable(endpoint.provider, facts)) return false;
    return !admits(endpoint, facts);
  });
  const reasons = failed.map(({ name }) => ({ constraint: name, ...policyReasonOf(name, endpoint, facts) }));
  return isCallable(endpoint, facts.policy) ? reasons : [...reasons, noOperation(endpoint, facts)];
}

/** The policy denies each operation that the endpoint serves. */
function noOperation(place: ModelEndpoint, facts: AvailabilityExplanationFacts): Exclusion {
  const operation = OPERATIONS.find((one) => serves(place, one)) ?? 'chat_completions';
  const reason = deniedBy('operation', `route ${route[operation]}`, { ...place, operation }, facts);
  return { constraint: 'operation', ...reason };
}

/** Every reason for which no call of the organization may use the model. Empty where an endpoint is eligible. */
export function modelUnavailability(
  { endpoints }: Model,
  facts: AvailabilityExplanationFacts,
): readonly Exclusion[] {
  if (endpoints.length === 0) {
    return [{ constraint: 'endpoints', field: null, message: 'The catalog has no endpoint for it.' }];
  }
  const reasons = endpoints.map((endpoint) => unavailability(endpoint, facts));
  if (reasons.some((ofOne) => ofOne.length === 0)) return [];
  return [...new Map(reasons.flat().map((reason) => [reason.message, reason])).values()];
}

export function beyondMaxAttempts({ policy, policyName }: ExplanationFacts): Exclusion {
  const allowed = policy.maxAttempts === 1 ? '1 endpoint' : `${String(policy.maxAttempts)} endpoints`;
  const message = `Not reached: a call tries ${allowed} by ${policyName}.`;
  return { constraint: 'max_attempts', field: 'max_attempts', message };
}

type Reason = Omit<Exclusion, 'constraint'>;

function reasonOf(
  name: ConstraintName,
  endpoint: ModelEndpoint,
  call: RoutingCall,
  facts: ExplanationFacts,
): Reason {
  switch (name) {
    case 'operation':
      return allowsOperation(facts.policy, call.operation)
        ? { field: 'operation', message: `Not served on ${route[call.operation]}.` }
        : deniedBy(
            'operation',
            `route ${route[call.operation]}`,
            { ...endpoint, operation: call.operation },
            facts,
          );
    case 'priced_betas': {
      const param = unpriced(endpoint, call, facts);
      return { field: param, message: `It has no price for what \`${String(param)}\` asks for.` };
    }
    case 'account_references': {
      const param = foreignReference(endpoint, call);
      return { field: param, message: `\`${String(param)}\` is in an account that is not your own.` };
    }
    case 'parameters': {
      if (!takesInput(endpoint, call)) return { field: 'input', message: 'It takes texts, and no tokens.' };
      const params = [...new Set(leastLeftOut(endpoint, call, facts).map(({ param }) => param))];
      const named = params.map((param) => `\`${param}\``).join(', ');
      return {
        field: params[0] ?? null,
        message: `A strict call needs what it does not support: ${named}.`,
      };
    }
    case 'circuit':
      return { field: null, message: 'Its circuit is open after failures in a row.' };
    default:
      return policyReasonOf(name, endpoint, facts);
  }
}

function policyReasonOf(
  name: ConstraintName,
  place: ModelEndpoint,
  facts: AvailabilityExplanationFacts,
): Reason {
  const { modelId, provider, region } = place;
  switch (name) {
    case 'model':
      return deniedBy(name, `model ${modelId}`, place, facts);
    case 'provider':
      return deniedBy(name, `provider ${provider.name}`, place, facts);
    case 'region':
      return deniedBy(name, `region ${region}`, place, facts);
    case 'data_retention':
      return deniedBy(name, `${provider.name} keeps data`, place, facts);
    case 'credential_mode': {
      const problem = modeProblem[facts.policy.credentialMode](provider.name);
      return { field: 'credential_mode', message: `Denied by ${facts.policyName}: ${problem}.` };
    }
    default:
      return { field: null, message: `No credential for ${provider.name}.` };
  }
}

function deniedBy(
  rule: PolicyRule,
  what: string,
  judged: Parameters<typeof denialOf>[2],
  { policy, policyName, lowerPolicyNames }: AvailabilityExplanationFacts,
): Reason {
  const denial = denialOf(rule, policy, judged);
  const level = denial?.level ?? 'organization';
  const name = level === 'organization' ? policyName : (lowerPolicyNames?.[level] ?? policyName);
  return { field: denial?.field ?? null, message: `Denied by ${name}: ${what}.` };
}

const modeProblem: Readonly<Record<Policy['credentialMode'], (provider: string) => string>> = {
  own_first: (provider) => `no credential for ${provider}`,
  own_only: (provider) => `only own credentials are used, and there is none for ${provider}`,
  platform_only: (provider) => `only the platform’s credentials are used, and it has none for ${provider}`,
};
