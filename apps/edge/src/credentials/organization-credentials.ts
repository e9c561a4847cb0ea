import { type Change } from '@svc/database';
import { credentialContext, type ProviderCredentialRecord } from '@svc/policy/store';
import { type Sealer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { LookupCache } from '../changes/lookup-cache';
import { type CredentialPool, poolMember, poolOf, type PoolMember } from './credential-pool';

const ORGANIZATIONS_MAX = 10_000;

/** An organization's own credentials, by the provider's name. */
export type OwnCredentials = ReadonlyMap<string, CredentialPool>;

type FindActive = (organizationId: string) => Promise<readonly ProviderCredentialRecord[]>;

/** A cache of the credentials that organizations stored, decrypted. */
export class OrganizationCredentials {
  private readonly cache = new LookupCache<OwnCredentials>(ORGANIZATIONS_MAX);

  constructor(
    private readonly findActive: FindActive,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  of(organizationId: string): OwnCredentials | Promise<OwnCredentials> {
    return this.cache.get(organizationId, async () => this.open(await this.findActive(organizationId)));
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.cache.invalidateAll();
    else if (change.of === 'providerCredentials') this.cache.invalidate(change.organizationId);
  }

  /** Skips a credential that another master key sealed; the others are still used. */
  private open(records: readonly ProviderCredentialRecord[]): OwnCredentials {
    const members = new Map<string, PoolMember[]>();
    for (const record of records) {
      const { id, provider, sealedSecret, healthEpoch } = record;
      try {
        const secret = this.sealer.open(sealedSecret, credentialContext(id)).toString('utf8');
        const ofProvider = members.get(provider) ?? [];
        members.set(provider, ofProvider);
        ofProvider.push(poolMember({ id, secret, provider, key: id, healthEpoch }, record));
      } catch (error) {
        this.logger.error({ credential_id: id, err: error }, 'provider credential not usable');
      }
    }
    return new Map(
      [...members].flatMap(([provider, ofProvider]) => {
        const pool = poolOf(ofProvider);
        return pool === undefined ? [] : [[provider, pool] as const];
      }),
    );
  }
}
