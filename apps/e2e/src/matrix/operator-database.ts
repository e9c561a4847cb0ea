import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { type AnySvc } from '../harness/svc-process';

interface KeySettings {
  readonly organizationId: string;
  readonly rateLimitRpm?: number;
  readonly rateLimitTpm?: number;
  readonly scopes?: readonly string[];
}

interface AddedKey {
  readonly id: string;
  readonly secret: string;
}

/**
 * Writes settings that no API writes, for new things only: the service caches what it has read, so a change of something
 * in use would take effect late.
 */
export interface OperatorDatabase {
  /** An organization with an empty wallet and no limits of its own. */
  addOrganization(): Promise<string>;
  /** @returns a new key; no other call has used it. */
  addKey(settings: KeySettings): Promise<AddedKey>;
  /** A blocking budget of a key, for each day. */
  addBudget(key: AddedKey, organizationId: string, name: string, amountNanos: bigint): Promise<void>;
  writePolicy(organizationId: string, document: object): Promise<void>;
  /** Before the organization's first call. */
  raiseCeilings(organizationId: string): Promise<void>;
  recordedRequests(organizationId: string): Promise<number>;
  close(): Promise<void>;
}

const CEILING = 2_000_000_000;

export async function openOperatorDatabase(svc: AnySvc): Promise<OperatorDatabase> {
  const connectionString = (await readFile(join(svc.dataDir, 'database-url'), 'utf8')).trim();
  const client = new Client({ connectionString });
  await client.connect();
  const run = (sql: string, values: readonly unknown[]) => client.query(sql, [...values]);
  return {
    addOrganization: async () => {
      const id = newId('org');
      await run('insert into organizations (id, name) values ($1, $1)', [id]);
      await run('insert into wallets (organization_id) values ($1)', [id]);
      return id;
    },
    addKey: async ({ organizationId, rateLimitRpm, rateLimitTpm, scopes = ['inference:invoke'] }) => {
      const [id, secret] = [newId('key'), `svc_sk_${randomBytes(32).toString('base64url')}`];
      const hash = createHash('sha256').update(secret, 'utf8').digest();
      await run(
        `insert into api_keys (id, organization_id, name, prefix, secret_sha256, scopes, rate_limit_rpm, rate_limit_tpm)
         values ($1, $2, $1, $3, $4, $5, $6, $7)`,
        [id, organizationId, secret.slice(0, 15), hash, scopes, rateLimitRpm ?? null, rateLimitTpm ?? null],
      );
      return { id, secret };
    },
    addBudget: async (key, organizationId, name, amountNanos) => {
      await run(
        `insert into budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
         values ($1, $2, $3, 'api_key', $4, 'day', $5, 'block', 8000)`,
        [newId('bud'), organizationId, name, key.id, String(amountNanos)],
      );
    },
    writePolicy: async (organizationId, document) => {
      await run(
        'insert into policy_versions (id, organization_id, version, document) values ($1, $2, 1, $3)',
        [newId('pol'), organizationId, JSON.stringify(document)],
      );
    },
    raiseCeilings: async (organizationId) => {
      await run('update organizations set rate_limit_rpm = $2, rate_limit_tpm = $2 where id = $1', [
        organizationId,
        CEILING,
      ]);
    },
    recordedRequests: async (organizationId) => {
      const sql = 'select count(*)::int as count from request_records where organization_id = $1';
      return ((await run(sql, [organizationId])).rows[0] as { count: number }).count;
    },
    close: () => client.end(),
  };
}

const newId = (prefix: string) => `${prefix}_${randomBytes(13).toString('hex')}`;
