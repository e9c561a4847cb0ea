import { type Change, credentialContext, type ProviderCredentialRecord } from '@svc/persistence';
import { type Logger, type Sealer } from '@svc/platform';
import { BelievedAnswers } from '../changes/believed-answers';

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
  private readonly opened = new BelievedAnswers<OwnCredentials>(ORGANIZATIONS_MAX);

  constructor(
    private readonly findActive: FindActive,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  of(organizationId: string): OwnCredentials | Promise<OwnCredentials> {
    return this.opened.of(organizationId, async () => this.open(await this.findActive(organizationId)));
  }

  forget(change: Change): void {
    if (change.of === 'anything') this.opened.forgetAll();
    else if (change.of === 'providerCredentials') this.opened.forget(change.organizationId);
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
