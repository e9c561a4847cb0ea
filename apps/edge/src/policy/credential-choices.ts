import { type ModelEndpoint } from '@svc/catalog';
import { type CredentialChoice, type CredentialPools, holdsAffinity } from '@svc/policy';
import { type OrganizationTerms } from './organization-terms';
import { type CredentialHealths } from '../credentials/credential-healths';
import { CredentialPool, type PoolMember } from '../credentials/credential-pool';

const NOTHING: CredentialChoice<PoolMember> = { tried: [], resting: [] };

/** The credentials that a call is planned with. */
export class CredentialChoices implements CredentialPools {
  /**
   * @param subject what goes to one credential as long as it can
   * @param affinityKey the same, at endpoints that conversations return to; null for a call that is part of none
   */
  constructor(
    private readonly healths: CredentialHealths,
    private readonly terms: Pick<OrganizationTerms, 'poolFor' | 'policy'>,
    private readonly subject: string,
    private readonly affinityKey: string | null = null,
  ) {}

  choose(
    endpoint: ModelEndpoint,
    source: 'own' | 'platform',
    preferredKey?: string,
  ): CredentialChoice<PoolMember> {
    const pool = this.terms.poolFor(endpoint.provider, source);
    if (pool === undefined) return NOTHING;
    const reaching = endpoint.credential === undefined ? pool : keptBy(endpoint, pool);
    return this.healths.choose(reaching, endpoint.id, this.subjectAt(endpoint), preferredKey);
  }

  now(): number {
    return this.healths.now();
  }

  private subjectAt(endpoint: ModelEndpoint): string {
    if (this.affinityKey === null || !holdsAffinity(this.terms.policy, endpoint)) return this.subject;
    return this.affinityKey;
  }
}

/** A tuned model is in the account of the credential that trained it, or of the one that took its place. */
function keptBy({ credentialId }: ModelEndpoint, pool: CredentialPool): CredentialPool {
  if (credentialId === undefined) return new CredentialPool([pool.members[0]]);
  return new CredentialPool([pool.withKey(credentialId) ?? pool.main]);
}
