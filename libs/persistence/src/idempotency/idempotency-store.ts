import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_RETENTION_MS, type StandingClaim } from '@svc/inference';
import { AdaptiveBatch } from '@svc/platform';
import { type Database } from '../database/database';
import { failureKind, refusalFor } from '../database/failure';

/** What an answer is sealed for beside the key: it opens in its own call's claim only. */
export const answerContext = (organizationId: string, requestId: string): string =>
  `idempotency/${organizationId}/${requestId}`;

/** A call that wants its key for itself. */
export interface ClaimRequest {
  readonly organizationId: string;
  readonly key: string;
  readonly requestId: string;
  /** SHA-256. */
  readonly fingerprint: Uint8Array;
  /** The process that runs the call; see EdgeInstanceStore. */
  readonly edgeInstanceId: string;
}

/** What stands in the way of a claim. */
export interface StoredClaim extends StandingClaim {
  /** Of the call that holds the key, or held it when it was answered. */
  readonly requestId: string;
  /** Its answer, when it is answered and the fingerprint is the same. */
  readonly sealedAnswer: Buffer | null;
}

interface StandingRow {
  readonly request_id: string;
  readonly fingerprint_sha256: Buffer;
  readonly is_answered: boolean;
  readonly response_ciphertext: Buffer | null;
}

interface ClaimRow extends StandingRow {
  readonly claimed: boolean;
}

/**
 * A claim that no longer stands: expired; held by a process that died, or by a call that ended, without an answer;
 * or with an answer that was stored but never charged, because its process died between the two and the worker
 * closed the call.
 */
const IS_FREE = `(c.expires_at <= now()
  OR c.state = 'in_progress' AND NOT EXISTS (
    SELECT FROM edge_instances e WHERE e.id = c.edge_instance_id AND e.lease_until > now())
  OR EXISTS (
    SELECT FROM request_records r WHERE r.id = c.request_id AND r.status <> 'pending'
      AND (c.state = 'in_progress' OR r.error_code IS NOT NULL)))`;

/** The answers that stand, of many calls at once: to give one again takes no lock and writes nothing. */
const ANSWERED = {
  name: 'answered_idempotency_keys',
  text: `SELECT wanted.at::int AS at, c.request_id, c.fingerprint_sha256, true AS is_answered,
      CASE WHEN c.fingerprint_sha256 = wanted.fingerprint THEN c.response_ciphertext END AS response_ciphertext
    FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS wanted (organization_id, key, fingerprint, at)
    JOIN idempotency_claims c ON c.organization_id = wanted.organization_id AND c.key = wanted.key
    JOIN request_records r ON r.id = c.request_id
    WHERE c.state = 'completed' AND c.expires_at > now() AND r.status <> 'pending' AND r.error_code IS NULL`,
};

const CLAIM = {
  name: 'claim_idempotency_key',
  text: `WITH claimed AS (
      INSERT INTO idempotency_claims AS c
        (organization_id, key, request_id, fingerprint_sha256, edge_instance_id, expires_at)
      VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')
      ON CONFLICT (organization_id, key) DO UPDATE SET
        request_id = excluded.request_id, fingerprint_sha256 = excluded.fingerprint_sha256,
        state = 'in_progress', edge_instance_id = excluded.edge_instance_id, http_status = NULL,
        response_ciphertext = NULL, created_at = now(), expires_at = excluded.expires_at
      WHERE ${IS_FREE}
      RETURNING request_id, fingerprint_sha256)
    SELECT true AS claimed, request_id, fingerprint_sha256, false AS is_answered, NULL::bytea AS response_ciphertext
    FROM claimed
    UNION ALL
    SELECT false, c.request_id, c.fingerprint_sha256, coalesce(c.state = 'completed' AND r.status <> 'pending', false),
      CASE WHEN c.fingerprint_sha256 = $4 AND r.status <> 'pending' THEN c.response_ciphertext END
    FROM idempotency_claims c LEFT JOIN request_records r ON r.id = c.request_id
    WHERE c.organization_id = $1 AND c.key = $2 AND NOT EXISTS (SELECT FROM claimed) AND NOT ${IS_FREE}`,
};

const BATCH_MAX = 256;
const BACKOFF_FIRST_MS = 20;
const BACKOFF_MAX_MS = 1_000;

/** `Idempotency-Key`s and the answers behind them (interface.md, Idempotency). The database's clock decides. */
export class IdempotencyStore {
  private readonly answered = new AdaptiveBatch<ClaimRequest, StoredClaim | null>(
    (batch) => this.findAnswered(batch),
    { itemsMax: BATCH_MAX, isItemFault: (error) => failureKind(error) === 'data' },
  );

  constructor(private readonly database: Database) {}

  /**
   * Takes the key for the call, or takes it over from a claim that no longer stands.
   * @returns null when the key is the call's own now, else the claim that stands.
   */
  async claim(call: ClaimRequest): Promise<StoredClaim | null> {
    try {
      return (await this.answered.add(call)) ?? (await this.claimUnanswered(call));
    } catch (error) {
      throw refusalFor(error);
    }
  }

  private async findAnswered(calls: readonly ClaimRequest[]): Promise<readonly (StoredClaim | null)[]> {
    const { rows } = await this.database.pool.query<StandingRow & { readonly at: number }>({
      ...ANSWERED,
      values: [
        calls.map(({ organizationId }) => organizationId),
        calls.map(({ key }) => key),
        calls.map(({ fingerprint }) => fingerprint),
      ],
    });
    const found = new Map(rows.map((row) => [row.at, storedClaim(row)]));
    return calls.map((_, at) => found.get(at + 1) ?? null);
  }

  private async claimUnanswered(call: ClaimRequest): Promise<StoredClaim | null> {
    const { organizationId, key, requestId, fingerprint, edgeInstanceId } = call;
    const values = [organizationId, key, requestId, fingerprint, edgeInstanceId, IDEMPOTENCY_RETENTION_MS];
    try {
      for (;;) {
        const { rows } = await this.database.pool.query<ClaimRow>({ ...CLAIM, values });
        const [row] = rows;
        if (row?.claimed === true) return null;
        if (row !== undefined) return storedClaim(row);
        // Another call's claim came or went after this statement began: only a new one sees how it is now.
      }
    } catch (error) {
      // It may have been made although its answer was lost. The caller is told of a failure, and may retry.
      if (failureKind(error) === 'connection') this.release(call).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Stores the answer, which stands as soon as its call is settled. Waits out a database that is away.
   * @returns false when the key is another call's by now: nothing was stored.
   */
  async keep({ organizationId, key, requestId }: ClaimRequest, sealedAnswer: Buffer): Promise<boolean> {
    const stored = await this.persist({
      name: 'keep_idempotent_answer',
      text: `UPDATE idempotency_claims SET state = 'completed', http_status = 200, response_ciphertext = $4
             WHERE organization_id = $1 AND key = $2 AND request_id = $3`,
      values: [organizationId, key, requestId, sealedAnswer],
    });
    return stored === 1;
  }

  /** Frees the key, if it is still the call's own. Waits out a database that is away. */
  async release({ organizationId, key, requestId }: Omit<ClaimRequest, 'fingerprint'>): Promise<void> {
    await this.persist({
      name: 'release_idempotency_key',
      text: 'DELETE FROM idempotency_claims WHERE organization_id = $1 AND key = $2 AND request_id = $3',
      values: [organizationId, key, requestId],
    });
  }

  /** @returns how many claims were deleted whose time is over. */
  async deleteExpired(limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `DELETE FROM idempotency_claims WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_claims WHERE expires_at <= now()
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [limit],
    );
    return rowCount ?? 0;
  }

  /** A statement that may be repeated, but not lost. */
  private async persist(statement: { name: string; text: string; values: unknown[] }): Promise<number> {
    for (let failures = 0; ; failures++) {
      try {
        return (await this.database.pool.query(statement)).rowCount ?? 0;
      } catch (error) {
        const kind = failureKind(error);
        if ((kind !== 'conflict' && kind !== 'connection') || this.database.pool.ending) throw error;
        await wait(Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10), BACKOFF_MAX_MS));
      }
    }
  }
}

const storedClaim = (row: StandingRow): StoredClaim => ({
  requestId: row.request_id,
  fingerprint: row.fingerprint_sha256,
  isAnswered: row.is_answered,
  sealedAnswer: row.response_ciphertext,
});
