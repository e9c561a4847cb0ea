import { type Database, DUE_NOW } from '@svc/database';
import { type EndpointFigures } from '@svc/policy';

/** The circuit and the speed of a model endpoint, as an edge has them. Times are ages, because clocks differ. */
export interface CircuitReport {
  readonly endpointId: string;
  readonly model: string;
  readonly provider: string;
  /** Milliseconds; null while it is closed. */
  readonly openForMs: number | null;
  /** Milliseconds until a trial call may pass; null while it is closed. */
  readonly trialInMs: number | null;
  /** Milliseconds since the edge planned with the endpoint, or left it out of a plan because its circuit was open. */
  readonly plannedAgoMs: number;
  /** Of plain calls. Null where nothing was measured lately. */
  readonly plain: ReportedFigures | null;
  /** Of streams. Null where nothing was measured lately. */
  readonly stream: ReportedFigures | null;
}

interface ReportedFigures extends EndpointFigures {
  /** Milliseconds since the last measurement. */
  readonly measuredAgoMs: number;
}

/** Reports of edges on model endpoints. The view `endpoint_circuits` judges the circuits. */
export class CircuitReportStore {
  constructor(private readonly database: Database) {}

  /** Replaces what the edge reported of these endpoints before. */
  async write(edgeInstanceId: string, reports: readonly CircuitReport[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_circuit_reports',
      text: WRITE,
      values: [edgeInstanceId, JSON.stringify(reports.map(rowOf))],
    });
  }
}

const REPORTED = [
  ...['open_since', 'open_until', 'planned_at'],
  ...['plain_latency_ms', 'plain_tokens_per_second', 'plain_measured_at'],
  ...['stream_latency_ms', 'stream_tokens_per_second', 'stream_measured_at'],
];

const WRITE = `
  INSERT INTO circuit_reports (edge_instance_id, endpoint_id, model, provider, reported_at, ${REPORTED.join(', ')})
  SELECT $1, endpoint_id, model, provider, now(),
    now() - open_for_ms * interval '1 ms', ${DUE_NOW} + trial_in_ms * interval '1 ms', now() - planned_ago_ms * interval '1 ms',
    plain_latency_ms, plain_tokens_per_second, now() - plain_measured_ago_ms * interval '1 ms',
    stream_latency_ms, stream_tokens_per_second, now() - stream_measured_ago_ms * interval '1 ms'
  FROM jsonb_to_recordset($2) AS r (endpoint_id text, model text, provider text,
    open_for_ms float8, trial_in_ms float8, planned_ago_ms float8,
    plain_latency_ms float8, plain_tokens_per_second float8, plain_measured_ago_ms float8,
    stream_latency_ms float8, stream_tokens_per_second float8, stream_measured_ago_ms float8)
  ON CONFLICT (endpoint_id, edge_instance_id) DO UPDATE SET
    reported_at = excluded.reported_at, ${REPORTED.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const rowOf = ({ plain, stream, ...report }: CircuitReport) => ({
  endpoint_id: report.endpointId,
  model: report.model,
  provider: report.provider,
  open_for_ms: report.openForMs,
  trial_in_ms: report.trialInMs,
  planned_ago_ms: report.plannedAgoMs,
  plain_latency_ms: plain?.latencyMs,
  plain_tokens_per_second: plain?.tokensPerSecond,
  plain_measured_ago_ms: plain?.measuredAgoMs,
  stream_latency_ms: stream?.latencyMs,
  stream_tokens_per_second: stream?.tokensPerSecond,
  stream_measured_ago_ms: stream?.measuredAgoMs,
});
