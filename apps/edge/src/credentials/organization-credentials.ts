import { LRUCache } from 'lru-cache';
import { credentialContext, type ProviderCredentialRecord } from '@svc/persistence';
import { type Logger, type Sealer } from '@svc/platform';

/** How long a credential is used after it was disabled or revoked, at the most. */
const CREDENTIALS_AGE_MAX_MS = 10_000;
const ORGANIZATIONS_MAX = 10_000;

export interface OwnCredential {
  readonly id: string;
  readonly secret: string;
}

/** What an organization calls providers with, by the provider's name. */
export type OwnCredentials = ReadonlyMap<string, OwnCredential>;

type FindActive = (organizationId: string) => Promise<readonly ProviderCredentialRecord[]>;

/** The credentials that organizations stored, opened in memory for as long as they may be believed. */
export class OrganizationCredentials {
  private readonly opened: LRUCache<string, OwnCredentials>;

  constructor(
    findActive: FindActive,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {
    this.opened = new LRUCache({
      max: ORGANIZATIONS_MAX,
      ttl: CREDENTIALS_AGE_MAX_MS,
      fetchMethod: async (organizationId) => this.open(await findActive(organizationId)),
    });
  }

  async of(organizationId: string): Promise<OwnCredentials> {
    return (await this.opened.fetch(organizationId)) ?? new Map();
  }

  /** One that does not open, because the master key is another, is as good as none; the others still serve. */
  private open(records: readonly ProviderCredentialRecord[]): OwnCredentials {
    const credentials = new Map<string, OwnCredential>();
    for (const { id, provider, sealedSecret } of records) {
      try {
        const secret = this.sealer.open(sealedSecret, credentialContext(id)).toString('utf8');
        credentials.set(provider, { id, secret });
      } catch (error) {
        this.logger.error({ credential_id: id, err: error }, 'provider credential not usable');
      }
    }
    return credentials;
  }
}
