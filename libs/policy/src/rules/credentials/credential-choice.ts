import { GatewayError } from '@svc/kernel';
import { type Rest } from './credential-health';
import { CREDENTIALS_TRIED_MAX, orderedCredentials, type OrderedCredential } from './credential-order';

/** A credential of a pool, with what is known of it at one endpoint. */
export interface CredentialStanding<Credential> {
  readonly credential: Credential;
  /** Null for one that may be tried. */
  readonly rest: Rest | null;
  /** Basis points; null where it is not known. */
  readonly headroomBps: number | null;
}

/** The credentials of one owner that a call tries at an endpoint, and those that it leaves out because they rest. */
export interface CredentialChoice<Credential> {
  /** In the order of attempts, at most {@link CREDENTIALS_TRIED_MAX}. */
  readonly tried: readonly Credential[];
  readonly resting: readonly RestingCredential<Credential>[];
}

interface RestingCredential<Credential> {
  readonly credential: Credential;
  readonly rest: Rest;
}

/**
 * @param subject see {@link orderedCredentials}
 * @param preferredKey see {@link orderedCredentials}
 */
export function chooseCredentials<Credential extends OrderedCredential>(
  standings: readonly CredentialStanding<Credential>[],
  subject: string,
  preferredKey?: string,
): CredentialChoice<Credential> {
  const resting: RestingCredential<Credential>[] = [];
  const headrooms = new Map<Credential, number | null>();
  for (const { credential, rest, headroomBps } of standings) {
    if (rest === null) headrooms.set(credential, headroomBps);
    else resting.push({ credential, rest });
  }
  const ordered = orderedCredentials(
    [...headrooms.keys()],
    subject,
    (credential) => headrooms.get(credential) ?? null,
    preferredKey,
  );
  return { tried: ordered.slice(0, CREDENTIALS_TRIED_MAX), resting };
}

/** The one for what keeps to a credential: the first that has a weight, else the first. */
export const mainCredential = <Credential extends Pick<OrderedCredential, 'weight'>>(
  credentials: readonly Credential[],
): Credential | undefined => credentials.find(({ weight }) => weight > 0) ?? credentials[0];

/**
 * The answer to a call for which every credential rests and one of them cools: the provider's rate limit with the shortest wait, or
 * a failure of the provider where it limits no rate.
 */
export function allRestingError(rests: readonly Rest[], nowMs: number): GatewayError {
  const waits = rests.flatMap(({ kind, untilMs }) =>
    kind === 'rate_limit' && untilMs !== null ? Math.max(untilMs - nowMs, 0) : [],
  );
  if (waits.length === 0) {
    return new GatewayError(
      'providerError',
      'Every provider of the model refuses the credentials that there are for it. Please retry.',
    );
  }
  return new GatewayError('providerRateLimit', 'The provider is limiting its rate. Please retry later.', {
    retryAfterMs: Math.min(...waits),
  });
}

/** Of credentials that are all refused, the one whose trial is due first. */
export function firstDue<Resting extends { readonly rest: Rest }>(
  resting: readonly Resting[],
): Resting | undefined {
  if (resting.some(({ rest }) => rest.kind !== 'refused')) return undefined;
  const [first] = resting.toSorted((a, b) => a.rest.trialAtMs - b.rest.trialAtMs);
  return first;
}
