import { type RecordedEvent } from '@svc/events';
import { type Database } from '../database/database';

/** A provider's credential that an organization stored, still sealed. */
export interface ProviderCredentialRecord {
  readonly id: string;
  readonly provider: string;
  /** Opens in the context {@link credentialContext}. */
  readonly sealedSecret: Buffer;
}

/** What a credential's secret is sealed with beside the key, so that it opens as no other row's. */
export const credentialContext = (credentialId: string): string => `provider_credentials/${credentialId}`;

export class ProviderCredentialStore {
  constructor(private readonly database: Database) {}

  /** The credentials to call providers with: of several for one provider, the newest. */
  async activeFor(organizationId: string): Promise<readonly ProviderCredentialRecord[]> {
    const { rows } = await this.database.pool.query<ProviderCredentialRecord>({
      name: 'active_provider_credentials',
      text: `SELECT DISTINCT ON (provider) id, provider, secret_ciphertext AS "sealedSecret"
             FROM provider_credentials WHERE organization_id = $1 AND state = 'active'
             ORDER BY provider, id DESC`,
      values: [organizationId],
    });
    return rows;
  }

  /**
   * Puts a `credential.auth_failed` into the outbox, unless one with its id is there: the id tells which failures
   * are one, over all processes.
   * @returns whether this event is the one.
   */
  async recordAuthFailure({ id, organizationId, type, payload }: RecordedEvent): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'record_auth_failure',
      text: `INSERT INTO outbox_events (id, organization_id, type, payload) VALUES ($1, $2, $3, $4)
             ON CONFLICT (id) DO NOTHING`,
      values: [id, organizationId, type, payload],
    });
    return rowCount === 1;
  }
}
