import { type ModelEndpoint } from '@svc/catalog';
import { type CredentialChoice, type CredentialPools } from '@svc/policy';
import { type OrganizationTerms } from './organization-terms';
import { type CredentialHealths } from '../credentials/credential-healths';
import { CredentialPool, type PoolMember } from '../credentials/credential-pool';

const NOTHING: CredentialChoice<PoolMember> = { tried: [], resting: [] };

/** The credentials that a call is planned with. */
export class CredentialChoices implements CredentialPools {
  /** @param subject what goes to one credential as long as it can */
  constructor(
    private readonly healths: CredentialHealths,
    private readonly terms: Pick<OrganizationTerms, 'poolFor'>,
    private readonly subject: string,
  ) {}

  choose(endpoint: ModelEndpoint, source: 'own' | 'platform'): CredentialChoice<PoolMember> {
    const pool = this.terms.poolFor(endpoint.provider, source);
    if (pool === undefined) return NOTHING;
    const reaching = endpoint.credential === undefined ? pool : keptBy(endpoint, pool);
    return this.healths.choose(reaching, endpoint.id, this.subject);
  }

  now(): number {
    return this.healths.now();
  }
}

/** A tuned model is in the account of the credential that trained it, or of the one that took its place. */
function keptBy({ credentialId }: ModelEndpoint, pool: CredentialPool): CredentialPool {
  if (credentialId === undefined) return new CredentialPool([pool.members[0]]);
  return new CredentialPool([pool.withKey(credentialId) ?? pool.main]);
}
