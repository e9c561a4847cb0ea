import { type JsonValue } from '@svc/kernel';
import { type Database } from '../database/database';

/** One version of an organization's policy. */
export interface PolicyVersionRecord {
  readonly version: number;
  /** As it was written (contract.md section 7). */
  readonly document: JsonValue;
}

export class PolicyStore {
  constructor(private readonly database: Database) {}

  /** @returns the newest version; null for an organization that has never written one. */
  async current(organizationId: string): Promise<PolicyVersionRecord | null> {
    const { rows } = await this.database.pool.query<PolicyVersionRecord>({
      name: 'current_policy',
      text: `SELECT version, document FROM policy_versions
             WHERE organization_id = $1 ORDER BY version DESC LIMIT 1`,
      values: [organizationId],
    });
    return rows[0] ?? null;
  }
}
