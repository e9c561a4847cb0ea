import { type Loss } from '@svc/protocol';

import { type ModelEndpoint } from '../catalog/catalog';
import { type Policy } from '../policy/policy';
import { credentialSources, type CredentialSource } from './credential-sources';
import { isNative } from './native-operation';
import { lackedBy, refusedBy, unsupportedBy } from './parameters';
import { type OrganizationFacts, type RoutingCall } from './routing-facts';

/** What an attempt leaves out of a call. */
export interface LeftOut {
  /** For the caller's warnings. */
  readonly losses: readonly Loss[];
  /** Parameters, and members of them, that the provider is not sent. */
  readonly omit: readonly string[];
  /** Whether tools and options of messages that tokens do not pay for are left out too. */
  readonly paidPartsOnly: boolean;
}

type Attempted = Pick<RoutingCall, 'unpaid' | 'kept'> & Parameters<typeof unsupportedBy>[1];

/** What the endpoint does not take, what the credential's owner does not pay for, and what the policy does not let a provider keep. */
export function leftOutAt(
  endpoint: ModelEndpoint,
  credential: CredentialSource,
  call: Attempted,
  { requireZeroRetention }: Pick<Policy, 'requireZeroRetention'>,
): LeftOut {
  const losses = unsupportedBy(endpoint, call);
  const omit = [...lackedBy(endpoint, call), ...refusedBy(endpoint, call)];
  const { unpaid, kept } = call;
  const isPaidByTokens = credential !== 'own' && unpaid.losses.length > 0;
  const isNothingKept = requireZeroRetention && kept.losses.length > 0;
  if (!isPaidByTokens && !isNothingKept) return { losses, omit, paidPartsOnly: false };
  const left = [...(isPaidByTokens ? [unpaid] : []), ...(isNothingKept ? [kept] : [])];
  const told = new Set(losses.map(({ param }) => param));
  const omitted = left.flatMap((one) => one.omit).filter((path) => !takesBeyondRoute(endpoint, path));
  const listed = left.flatMap((one) => one.losses);
  return {
    losses: [
      ...losses,
      ...listed.filter(({ param }) => !told.has(param) && !takesBeyondRoute(endpoint, param)),
    ],
    omit: [...new Set([...omit, ...omitted])],
    paidPartsOnly: isPaidByTokens && unpaid.hasParts,
  };
}

/** What the endpoint takes by its catalog entry. The operator answers for it (docs/reference/models-and-catalog.md). */
const takesBeyondRoute = ({ extraParameters }: ModelEndpoint, path: string): boolean =>
  extraParameters?.has(path) === true;

/** What the attempt at an endpoint that leaves out least would leave out. Empty where one of its credentials takes all. */
export function leastLeftOut(
  endpoint: ModelEndpoint,
  call: Attempted,
  facts: OrganizationFacts,
): readonly Loss[] {
  const sources = credentialSources(endpoint, facts);
  const [best] = sources
    .map((source) => leftOutAt(endpoint, source, call, facts.policy).losses)
    .sort((a, b) => a.length - b.length);
  return best ?? unsupportedBy(endpoint, call);
}

/**
 * The path of an id of the provider's account that the endpoint would be sent on another credential than the organization's
 * own. Null for none. Translation leaves such ids out.
 */
export function foreignReference(
  endpoint: ModelEndpoint,
  { operation, accountReferences }: Pick<RoutingCall, 'operation' | 'accountReferences'>,
): string | null {
  if (accountReferences.length === 0 || !isNative(endpoint, operation)) return null;
  const sent = accountReferences.find(
    ({ tool }) => tool === null || endpoint.builtInTools?.has(tool) === true,
  );
  return sent?.param ?? null;
}
