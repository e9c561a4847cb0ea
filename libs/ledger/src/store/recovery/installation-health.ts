import { type Database } from '@svc/database';

/** An edge process that has renewed its lease lately. */
interface EdgeFigures {
  readonly id: string;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  readonly isLive: boolean;
}

/** How much waits somewhere, and since when. */
interface QueueFigures {
  /** Counted up to `COUNTED_MAX`. */
  readonly count: number;
  /** Since when the oldest waits; null where nothing does, or where it is not known. */
  readonly oldestAt: Date | null;
}

export const queueNames = [
  'events',
  'parked_messages',
  'webhook_endpoints',
  'mails',
  'exports',
  'incident_updates',
  'payments_in_review',
] as const;
type QueueName = (typeof queueNames)[number];

export interface InstallationFigures {
  /** By the database's clock. */
  readonly at: Date;
  /** When a worker last proved that it runs, and that the database takes writes. */
  readonly workerBeatAt: Date | null;
  /** Since when the database takes writes without a gap. */
  readonly writableSince: Date | null;
  /** The newest first. */
  readonly edges: readonly EdgeFigures[];
  readonly queues: Readonly<Record<QueueName, QueueFigures>>;
}

/** More are shown as so many: counting millions would not help. */
export const COUNTED_MAX = 10_000;
const EDGES_MAX = 100;

/** The queues, by an index each. `at` is since when a row waits. */
const WAITING: Readonly<Record<QueueName, string>> = {
  events: 'SELECT created_at AS at FROM outbox_events WHERE published_at IS NULL ORDER BY id',
  parked_messages: 'SELECT parked_at AS at FROM parked_messages WHERE resolved_at IS NULL ORDER BY parked_at',
  webhook_endpoints: `SELECT least(turn_at, waiting_since) AS at FROM webhook_lanes
    WHERE least(turn_at, waiting_since) < clock_timestamp()`,
  mails: `SELECT due_at AS at FROM mails WHERE due_at <= clock_timestamp()
    AND (lease_until IS NULL OR lease_until <= clock_timestamp()) ORDER BY due_at`,
  exports: `SELECT created_at AS at FROM exports WHERE state IN ('queued', 'running') ORDER BY id`,
  incident_updates: `SELECT due_at AS at FROM incidents
    WHERE due_at IS NOT NULL AND told_count < update_count ORDER BY due_at`,
  payments_in_review: `SELECT created_at AS at FROM payments WHERE state = 'review' ORDER BY id`,
};

/** The figures by which an operator sees whether the installation keeps up. */
export class InstallationHealth {
  constructor(private readonly database: Database) {}

  async read(): Promise<InstallationFigures> {
    const [beat, edges, queues] = await Promise.all([this.beat(), this.edges(), this.queues()]);
    return { ...beat, edges, queues };
  }

  private async beat(): Promise<Pick<InstallationFigures, 'at' | 'workerBeatAt' | 'writableSince'>> {
    const { rows } = await this.database.pool.query<{
      readonly at: Date;
      readonly workerBeatAt: Date | null;
      readonly writableSince: Date | null;
    }>(
      `SELECT clock_timestamp() AS at, beaten_at AS "workerBeatAt", writable_since AS "writableSince"
       FROM (SELECT 1) AS one LEFT JOIN database_heartbeat ON true LIMIT 1`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('The database has no clock.');
    return row;
  }

  private async edges(): Promise<readonly EdgeFigures[]> {
    const { rows } = await this.database.pool.query<EdgeFigures>(
      `SELECT id, started_at AS "startedAt", lease_until AS "leaseUntil", lease_until > clock_timestamp() AS "isLive"
       FROM edge_instances ORDER BY started_at DESC LIMIT $1`,
      [EDGES_MAX],
    );
    return rows;
  }

  private async queues(): Promise<Readonly<Record<QueueName, QueueFigures>>> {
    const parts = queueNames.map(
      (name) => `SELECT '${name}' AS name, count(*)::integer AS count, min(at) AS "oldestAt"
        FROM (${WAITING[name]} LIMIT ${String(COUNTED_MAX)}) AS ${name}`,
    );
    const { rows } = await this.database.pool.query<QueueFigures & { readonly name: QueueName }>(
      parts.join(' UNION ALL '),
    );
    return Object.fromEntries(rows.map(({ name, count, oldestAt }) => [name, { count, oldestAt }])) as Record<
      QueueName,
      QueueFigures
    >;
  }
}
