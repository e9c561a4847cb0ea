import { type ModelEndpoint } from '@svc/catalog';
import { type KeptData, type Loss, type UnpaidOptions } from '@svc/protocol';
import { type Policy } from '../policy/policy';
import { credentialSources, type CredentialSource } from './credential-sources';
import { isNative } from './native-operation';
import { lackedBy, refusedBy, unsupportedBy } from './parameters';
import { type OrganizationFacts, type RoutingCall } from './routing-facts';

/** The parts of a call that an attempt leaves out. */
export interface LeftOut {
  /** For the caller's warnings. */
  readonly losses: readonly Loss[];
  /** Parameters, and members of them, that the provider is not sent. */
  readonly omit: readonly string[];
  /** True where tools and options of messages that tokens do not pay for are left out too. */
  readonly paidPartsOnly: boolean;
}

type Attempted = Pick<RoutingCall, 'unpaid' | 'kept'> & Parameters<typeof unsupportedBy>[1];

/**
 * The parts that an attempt with each credential leaves out: what the endpoint does not take, what the credential's owner does not pay for, and
 * what the policy does not let a provider keep. Translation is asked once.
 */
export function leftOutAt(
  endpoint: ModelEndpoint,
  call: Attempted,
  { requireZeroRetention }: Pick<Policy, 'requireZeroRetention'>,
): (credential: CredentialSource) => LeftOut {
  const everywhere = leftOutEverywhere(endpoint, call);
  const { unpaid, kept } = call;
  return (credential) => {
    const isPaidByTokens = credential !== 'own' && unpaid.losses.length > 0;
    const isNothingKept = requireZeroRetention && kept.losses.length > 0;
    if (!isPaidByTokens && !isNothingKept) return everywhere;
    const more = [...(isPaidByTokens ? [unpaid] : []), ...(isNothingKept ? [kept] : [])];
    return { ...together(everywhere, more, endpoint), paidPartsOnly: isPaidByTokens && unpaid.hasParts };
  };
}

const NOTHING: LeftOut = { losses: [], omit: [], paidPartsOnly: false };

/** With any credential. */
function leftOutEverywhere(endpoint: ModelEndpoint, call: Attempted): LeftOut {
  const lacked = lackedBy(endpoint, call);
  const refused = refusedBy(endpoint, call);
  const losses = unsupportedBy(endpoint, call, lacked, refused);
  if (losses.length + lacked.length + refused.length === 0) return NOTHING;
  return { losses, omit: lacked.concat(refused), paidPartsOnly: false };
}

function together(
  { losses, omit }: LeftOut,
  more: readonly (KeptData | UnpaidOptions)[],
  endpoint: ModelEndpoint,
): Pick<LeftOut, 'losses' | 'omit'> {
  const told = new Set(losses.map(({ param }) => param));
  const isNew = ({ param }: Loss) => !told.has(param) && !takesBeyondRoute(endpoint, param);
  const omitted = more.flatMap((one) => one.omit).filter((path) => !takesBeyondRoute(endpoint, path));
  return {
    losses: [...losses, ...more.flatMap((one) => one.losses).filter(isNew)],
    omit: [...new Set([...omit, ...omitted])],
  };
}

/** Parameters that the endpoint takes by its catalog entry. The operator answers for it (docs/reference/models-and-catalog.md). */
const takesBeyondRoute = ({ extraParameters }: ModelEndpoint, path: string): boolean =>
  extraParameters?.has(path) === true;

/** The parts that an endpoint's attempt leaves out at least. Empty where one of its credentials takes all. */
export function leastLeftOut(
  endpoint: ModelEndpoint,
  call: Attempted,
  facts: OrganizationFacts,
): readonly Loss[] {
  const leftOut = leftOutAt(endpoint, call, facts.policy);
  const [best = leftOut('own')] = credentialSources(endpoint, facts)
    .map(leftOut)
    .sort((a, b) => a.losses.length - b.losses.length);
  return best.losses;
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
