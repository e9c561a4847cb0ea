import { type Database } from '@svc/database';
import { type EndpointFigures } from '@svc/policy';

/** The reports of the live edges on a model endpoint, taken together. */
interface EndpointFacts {
  readonly endpointId: string;
  /** True where plans leave it out: its circuit is open at each of these edges, and no trial call may pass yet. */
  readonly isOpen: boolean;
  /** Means over the edges that measured it in the last 5 minutes. */
  readonly plain: EndpointFigures;
  readonly stream: EndpointFigures;
  /** The time of the newest report. */
  readonly reportedAt: Date;
}

/** The facts by which the live edges plan calls, as far as they have reported them. */
export interface EdgeFacts {
  /** Names of the providers that an edge has a credential of the platform for. */
  readonly platformProviders: ReadonlySet<string>;
  /** By endpoint id. Those that no edge has planned with in the last 10 minutes are absent: nothing is known of them. */
  readonly endpoints: ReadonlyMap<string, EndpointFacts>;
}

interface Row extends Pick<EndpointFacts, 'endpointId' | 'isOpen' | 'reportedAt'> {
  readonly plainLatencyMs: number | null;
  readonly plainTokensPerSecond: number | null;
  readonly streamLatencyMs: number | null;
  readonly streamTokensPerSecond: number | null;
}

/** Reads the reports of edges, for those who plan without being one. */
export class EdgeFactsStore {
  constructor(private readonly database: Database) {}

  async read(): Promise<EdgeFacts> {
    const [providers, endpoints] = await Promise.all([
      this.database.pool.query<{ name: string }>({ name: 'platform_providers', text: PLATFORM_PROVIDERS }),
      this.database.pool.query<Row>({ name: 'endpoint_facts', text: ENDPOINTS }),
    ]);
    return {
      platformProviders: new Set(providers.rows.map(({ name }) => name)),
      endpoints: new Map(endpoints.rows.map((row) => [row.endpointId, factsOf(row)])),
    };
  }
}

const PLATFORM_PROVIDERS = `
  SELECT DISTINCT name FROM edge_instances, unnest(platform_providers) AS name WHERE lease_until > clock_timestamp()`;

/** As long as an edge uses a measurement itself. */
const mean = (kind: 'plain' | 'stream', figure: string): string =>
  `avg(${kind}_${figure}) FILTER (WHERE ${kind}_measured_at > clock_timestamp() - interval '5 min')`;

const ENDPOINTS = `
  SELECT endpoint_id AS "endpointId", bool_and(coalesce(open_until > clock_timestamp(), false)) AS "isOpen",
    ${mean('plain', 'latency_ms')} AS "plainLatencyMs", ${mean('plain', 'tokens_per_second')} AS "plainTokensPerSecond",
    ${mean('stream', 'latency_ms')} AS "streamLatencyMs", ${mean('stream', 'tokens_per_second')} AS "streamTokensPerSecond",
    max(reported_at) AS "reportedAt"
  FROM circuit_reports r
  JOIN edge_instances e ON e.id = r.edge_instance_id AND e.lease_until > clock_timestamp()
  WHERE r.planned_at > clock_timestamp() - interval '10 min'
  GROUP BY endpoint_id`;

const factsOf = ({ endpointId, isOpen, reportedAt, ...row }: Row): EndpointFacts => ({
  endpointId,
  isOpen,
  plain: { latencyMs: row.plainLatencyMs, tokensPerSecond: row.plainTokensPerSecond },
  stream: { latencyMs: row.streamLatencyMs, tokensPerSecond: row.streamTokensPerSecond },
  reportedAt,
});
