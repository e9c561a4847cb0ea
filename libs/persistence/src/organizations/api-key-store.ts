import { type Database } from '../database/database';

/** An API key with what bounds it, its organization's share included. Never the key itself. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly organizationId: string;
  /** Null: organization-wide. */
  readonly projectId: string | null;
  readonly scopes: readonly string[];
  readonly state: 'active' | 'revoked';
  readonly expiresAt: Date | null;
  /** Overrides, a minute; null is the default (interface.md, Limits). */
  readonly rateLimitRpm: number | null;
  readonly rateLimitTpm: number | null;
  readonly organizationRpm: number | null;
  readonly organizationTpm: number | null;
  readonly organizationState: 'active' | 'suspended';
}

export class ApiKeyStore {
  constructor(private readonly database: Database) {}

  /** @param hash SHA-256 of the key. Finds revoked and expired keys too: the caller judges. */
  async findBySha256(hash: Buffer): Promise<ApiKeyRecord | null> {
    const { rows } = await this.database.pool.query<ApiKeyRecord>({
      name: 'find_api_key',
      text: `SELECT k.id, k.organization_id AS "organizationId", k.project_id AS "projectId", k.scopes, k.state,
               k.expires_at AS "expiresAt", k.rate_limit_rpm AS "rateLimitRpm", k.rate_limit_tpm AS "rateLimitTpm",
               o.rate_limit_rpm AS "organizationRpm", o.rate_limit_tpm AS "organizationTpm",
               o.state AS "organizationState"
             FROM api_keys k JOIN organizations o ON o.id = k.organization_id
             WHERE k.secret_sha256 = $1`,
      values: [hash],
    });
    return rows[0] ?? null;
  }
}
