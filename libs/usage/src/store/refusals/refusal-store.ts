import { type Database } from '@svc/database';

/** Refusals of one kind within one hour. */
export interface RefusalCount {
  readonly organizationId: string;
  /** Unix milliseconds of the start of the UTC hour. */
  readonly hourMs: number;
  /** Null: calls without a project. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** Null: refused before the model was known, or a name that the catalog has not. */
  readonly model: string | null;
  readonly code: string;
  readonly httpStatus: number;
  readonly count: number;
  /** Unix milliseconds. */
  readonly lastAtMs: number;
  readonly lastMessage: string;
}

/** The rows that one writer adds at once. A batch that is sent again has the same number and the same rows. */
export interface RefusalBatch {
  readonly writerId: string;
  /** Rises from batch to batch of a writer. */
  readonly number: number;
  readonly rows: readonly RefusalCount[];
}

/** PostgreSQL's text cannot hold U+0000, and none of these belongs in one line. */
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** The counts of refused calls (docs/reference/money.md#refusals). */
export class RefusalStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds the counts of a batch, once: a batch that was committed changes nothing when it is sent again. Its writer may
   * send it while the first one still runs, because both lock the row of the writer first. Two writers lock the rows
   * of counts in the same order, so that they do not deadlock.
   */
  async addRefusals({ writerId, number, rows }: RefusalBatch): Promise<void> {
    await this.database.pool.query({
      name: 'add_refusals',
      text: `WITH fresh AS (
               INSERT INTO refusal_batches AS last (writer_id, number, written_at) VALUES ($1, $2, now())
               ON CONFLICT (writer_id) DO UPDATE SET number = excluded.number, written_at = now()
               WHERE last.number < excluded.number
               RETURNING writer_id
             )
             INSERT INTO refusals AS r (organization_id, hour, project_id, api_key_id, model, code, http_status,
               refused_count, last_at, last_message)
             SELECT counted.* FROM fresh, unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
               $8::text[], $9::smallint[], $10::bigint[], $11::timestamptz[], $12::text[]) AS counted
             ORDER BY 1, 2, 3, 4, 5, 6
             ON CONFLICT (organization_id, hour, project_id, api_key_id, model, code) DO UPDATE SET
               refused_count = r.refused_count + excluded.refused_count,
               last_at = greatest(r.last_at, excluded.last_at),
               last_message = CASE WHEN r.last_at > excluded.last_at THEN r.last_message ELSE excluded.last_message END`,
      values: [
        writerId,
        number,
        rows.map(({ organizationId }) => organizationId),
        rows.map(({ hourMs }) => new Date(hourMs)),
        rows.map(({ projectId }) => projectId ?? ''),
        rows.map(({ apiKeyId }) => apiKeyId),
        rows.map(({ model }) => model ?? ''),
        rows.map(({ code }) => code),
        rows.map(({ httpStatus }) => httpStatus),
        rows.map(({ count }) => count),
        rows.map(({ lastAtMs }) => new Date(lastAtMs)),
        rows.map(({ lastMessage }) => lastMessage.replace(CONTROL_CHARACTERS, ' ')),
      ],
    });
  }
}
