import { type Provider } from '@svc/catalog';
import { type CredentialSource, type OrganizationFacts } from '@svc/policy';
import { type CallCredential } from '../credentials/call-credential';
import { type OrganizationCredentials, type OwnCredentials } from '../credentials/organization-credentials';
import { type PlatformCredentials } from '../credentials/platform-credentials';
import { type CurrentPolicy, type Policies } from './policies';

/** What an organization may use, and with which credentials: a snapshot for the plan of one call. */
export interface OrganizationTerms extends OrganizationFacts, CurrentPolicy {
  credentialFor(provider: Provider, source: CredentialSource): CallCredential;
}

const NO_CREDENTIAL: CallCredential = { id: null, secret: null };

export class TermsSource {
  constructor(
    private readonly policies: Policies,
    private readonly organizationCredentials: OrganizationCredentials,
    private readonly platformCredentials: PlatformCredentials,
  ) {}

  /** The policy alone, at once where it is at hand. @throws GatewayError as {@link of}. */
  policyOf(organizationId: string): CurrentPolicy | Promise<CurrentPolicy> {
    return this.policies.of(organizationId);
  }

  /** @throws GatewayError `internal` when the policy cannot be read. */
  async of(organizationId: string): Promise<OrganizationTerms> {
    const [current, own] = await Promise.all([
      this.policies.of(organizationId),
      this.organizationCredentials.of(organizationId),
    ]);
    return this.termsOf(current, own);
  }

  private termsOf({ policy, policyVersion }: CurrentPolicy, own: OwnCredentials): OrganizationTerms {
    const platform = this.platformCredentials;
    return {
      policy,
      policyVersion,
      hasPlatformCredential: (provider) => platform.of(provider) !== null,
      hasOwnCredential: ({ name }) => own.has(name),
      credentialFor: (provider, source) => {
        if (source === 'own') return own.get(provider.name) ?? NO_CREDENTIAL;
        return source === 'platform' ? { id: null, secret: platform.of(provider) } : NO_CREDENTIAL;
      },
    };
  }
}
