import { type Provider } from '@svc/catalog';
import { type CredentialSource, type OrganizationFacts, type PlannedAttempt } from '@svc/policy';
import { type CredentialPool, type PoolMember } from '../credentials/credential-pool';
import { type OrganizationCredentials, type OwnCredentials } from '../credentials/organization-credentials';
import { type PlatformCredentials } from '../credentials/platform-credentials';
import { type CurrentPolicy, type Policies, type PolicyCaller } from './policies';

/** The policy and credentials of an organization: a snapshot for the plan of one call. */
export interface OrganizationTerms extends OrganizationFacts, CurrentPolicy {
  /** The credentials of that owner for the provider; undefined for none. */
  poolFor(provider: Provider, source: CredentialSource): CredentialPool | undefined;
}

/** Of an attempt. Without a pooled one it is the pool's main credential. */
export function credentialOf(
  terms: Pick<OrganizationTerms, 'poolFor'>,
  { endpoint, credential, pooled }: Pick<PlannedAttempt, 'endpoint' | 'credential' | 'pooled'>,
): PoolMember | null {
  const pool = terms.poolFor(endpoint.provider, credential);
  return (pooled === undefined ? pool?.main : pool?.withKey(pooled.key)) ?? null;
}

export class TermsSource {
  constructor(
    private readonly policies: Policies,
    private readonly organizationCredentials: OrganizationCredentials,
    private readonly platformCredentials: PlatformCredentials,
  ) {}

  /** Nearly always at hand. @throws GatewayError `internal` when a policy cannot be read. */
  policyOf(caller: PolicyCaller): CurrentPolicy | Promise<CurrentPolicy> {
    return this.policies.of(caller);
  }

  /** @throws GatewayError `internal` when a policy cannot be read. */
  async of(caller: PolicyCaller): Promise<OrganizationTerms> {
    return this.under(await this.policies.of(caller), caller.organizationId);
  }

  /** The terms under a policy that is known already. */
  async under(current: CurrentPolicy, organizationId: string): Promise<OrganizationTerms> {
    return this.termsOf(current, await this.organizationCredentials.of(organizationId));
  }

  private termsOf(current: CurrentPolicy, own: OwnCredentials): OrganizationTerms {
    const platformPool = this.platformPools();
    const { policy, policyVersion, projectPolicyVersion, keyPolicyVersion, rollouts, prices } = current;
    return {
      policy,
      policyVersion,
      projectPolicyVersion,
      keyPolicyVersion,
      rollouts,
      prices,
      hasPlatformCredential: (provider) => platformPool(provider) !== null,
      hasOwnCredential: ({ name }) => own.has(name),
      poolFor: (provider, source) => {
        if (source === 'own') return own.get(provider.name);
        return source === 'platform' ? (platformPool(provider) ?? undefined) : undefined;
      },
    };
  }
  /** A call asks several times in a row for the same provider, and each look into the environment costs. */
  private platformPools(): (provider: Provider) => CredentialPool | null {
    let last: Provider | undefined;
    let pool: CredentialPool | null = null;
    return (provider) => {
      if (provider !== last) {
        pool = this.platformCredentials.of(provider);
        last = provider;
      }
      return pool;
    };
  }
}
