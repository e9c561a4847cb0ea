import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type Database, failureKind, refusalFor } from '@svc/database';
import { AdaptiveBatch } from '@svc/runtime';
import { IDEMPOTENCY_RETENTION_MS } from '../../rules/idempotency/idempotency-key';
import { type ExistingClaim } from '../../rules/idempotency/judge-claim';
import { CLAIM, STANDING } from './claim-statements';

/** The context that an answer is sealed with. It binds the answer to the claim of its own call. */
export const answerContext = (organizationId: string, requestId: string): string =>
  `idempotency/${organizationId}/${requestId}`;

/** A call that claims its key. */
export interface ClaimRequest {
  readonly organizationId: string;
  readonly key: string;
  readonly requestId: string;
  /** SHA-256. */
  readonly fingerprint: Uint8Array;
  /** The process that runs the call; see EdgeInstanceStore. */
  readonly edgeInstanceId: string;
}

/** A valid claim that blocks a new one. */
interface StoredClaim extends ExistingClaim {
  /** The call that holds the key, or that held it when it was answered. */
  readonly requestId: string;
  /** The answer, when there is one and the fingerprint matches. */
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

const BATCH_MAX = 256;
/** After this many refusals, about half a minute, a server that answers is not asked again. */
const REFUSALS_MAX = 30;
/** Resolves when a server that was given up has executed what it was sent before. */
const untilLate = (): Promise<void> => wait(10_000, undefined, { ref: false });

/**
 * Claims of `Idempotency-Key`s and their stored answers (docs/reference/idempotency.md). The database's clock decides.
 */
export class IdempotencyStore {
  private readonly standing = new AdaptiveBatch<ClaimRequest, StoredClaim | null>(
    (batch) => this.findStanding(batch),
    { itemsMax: BATCH_MAX, isItemFault: (error) => failureKind(error) === 'data' },
  );
  /** The claims under way, one a key at a time, so that a locked row costs one connection. */
  private readonly claiming = new Map<string, Promise<StoredClaim | null>>();

  constructor(
    private readonly database: Database,
    private readonly late: () => Promise<unknown> = untilLate,
  ) {}

  /**
   * Takes the key for the call, or takes it over from a claim that is no longer valid.
   * @returns null when the call now holds the key, else the valid claim.
   */
  async claim(call: ClaimRequest): Promise<StoredClaim | null> {
    const name = `${call.organizationId}/${call.key}`;
    try {
      for (;;) {
        const standing = await this.standing.add(call);
        if (standing !== null) return standing;
        const other = this.claiming.get(name);
        if (other === undefined) return await this.claimAlone(name, call);
        // The next lookup sees its outcome. Where it fails, this one would fail too.
        await other;
      }
    } catch (error) {
      throw refusalFor(error);
    }
  }

  private async findStanding(calls: readonly ClaimRequest[]): Promise<readonly (StoredClaim | null)[]> {
    const { rows } = await this.database.pool.query<StandingRow & { readonly at: number }>({
      ...STANDING,
      values: [
        calls.map(({ organizationId }) => organizationId),
        calls.map(({ key }) => key),
        calls.map(({ fingerprint }) => fingerprint),
      ],
    });
    const found = new Map(rows.map((row) => [row.at, storedClaim(row)]));
    return calls.map((_, at) => found.get(at + 1) ?? null);
  }

  private claimAlone(name: string, call: ClaimRequest): Promise<StoredClaim | null> {
    const claiming = this.claimUnanswered(call).finally(() => this.claiming.delete(name));
    this.claiming.set(name, claiming);
    return claiming;
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
        // Another call's claim came or went after this statement began. Only a new statement sees the change.
      }
    } catch (error) {
      if (failureKind(error) === 'connection') this.disown(call).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Releases a claim whose result was lost. It may have been made, or a paused server may still make it. The caller
   * gets a failure and may retry.
   */
  private async disown(call: ClaimRequest): Promise<void> {
    await this.release(call);
    await this.late();
    await this.release(call);
  }

  /**
   * Stores the answer, which counts once its call is settled. Retries while the database is unavailable.
   * @returns false when another call holds the key by now: nothing was stored.
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

  /** Frees the key, if the call still holds it. Retries while the database is unavailable. */
  async release({ organizationId, key, requestId }: Omit<ClaimRequest, 'fingerprint'>): Promise<void> {
    await this.persist({
      name: 'release_idempotency_key',
      text: 'DELETE FROM idempotency_claims WHERE organization_id = $1 AND key = $2 AND request_id = $3',
      values: [organizationId, key, requestId],
    });
  }

  /** Runs a statement that may be repeated, but must not be lost, for example to a cancellation. */
  private async persist(statement: { name: string; text: string; values: unknown[] }): Promise<number> {
    let refusals = 0;
    for (let failures = 0; ; failures++) {
      try {
        return (await this.database.pool.query(statement)).rowCount ?? 0;
      } catch (error) {
        const kind = failureKind(error);
        if (kind === 'other') refusals++;
        if (kind === 'data' || refusals > REFUSALS_MAX || this.database.pool.ending) throw error;
        await wait(backoffMs(failures));
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
