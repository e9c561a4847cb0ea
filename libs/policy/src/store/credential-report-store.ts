import { type Database, DUE_NOW } from '@svc/database';
import { type RestKind } from '../rules/credentials/credential-health';

/** An edge's report on a credential. Times are in milliseconds from now, because clocks differ. */
export interface CredentialReport {
  /** The id of an organization's own; {@link platformCredentialName} of the platform's. */
  readonly credential: string;
  readonly provider: string;
  readonly healthEpoch: number;
  /** Null: everywhere. */
  readonly endpointId: string | null;
  /** Why it rests; null while it takes calls. */
  readonly rest: RestKind | null;
  /** Until calls may go to it again. Null: not known, or it takes calls. */
  readonly restsForMs: number | null;
  /** Until one call may try. Null while it takes calls. */
  readonly trialInMs: number | null;
  /** In basis points; null where it is not known. */
  readonly headroomBps: number | null;
  /** Until the headroom is not known any more. */
  readonly headroomForMs: number | null;
  /** True where other edges are told of it: its rest began or ended at this edge. */
  readonly isNews: boolean;
}

/** The name of a credential of the platform in reports. With one variable for two providers, each has its own health. */
export const platformCredentialName = (provider: string, env: string): string => `env:${provider}/${env}`;

/** A credential's health, as live edges last reported it. */
export interface ReportedHealth {
  readonly health: 'ok' | 'cooling' | 'refused';
  /** The earliest moment at which a call may go to it again; null while it is `ok`. */
  readonly retryAt: Date | null;
  readonly cooling: readonly { readonly endpointId: string; readonly until: Date }[];
  /** Of its endpoints the least, in basis points; null where it is not known. */
  readonly headroomBps: number | null;
}

const UNREPORTED: ReportedHealth = { health: 'ok', retryAt: null, cooling: [], headroomBps: null };

/** The name of the reports of a credential. */
interface ReportedCredential {
  readonly id: string;
  readonly healthEpoch: number;
}

/** Reports of edges on credentials, for those who are no edge, and for other edges. */
export class CredentialReportStore {
  constructor(private readonly database: Database) {}

  /** Replaces what was reported of these before, by whichever edge, and tells the other edges what is news. */
  async write(edgeInstanceId: string, reports: readonly CredentialReport[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_credential_reports',
      text: WRITE,
      values: [edgeInstanceId, JSON.stringify(reports.map(rowOf))],
    });
  }

  /** The health of each of these credentials, in their order. */
  async healthOf(credentials: readonly ReportedCredential[]): Promise<readonly ReportedHealth[]> {
    if (credentials.length === 0) return [];
    const { rows } = await this.database.pool.query<Row>({
      name: 'credential_health',
      text: REPORTED_BY_LIVE_EDGES,
      values: [credentials.map(({ id }) => id), credentials.map(({ healthEpoch }) => healthEpoch)],
    });
    const byCredential = Map.groupBy(rows, ({ credential }) => credential);
    return credentials.map(({ id }) => healthIn(byCredential.get(id) ?? []));
  }
}

const REPORTED = [
  'edge_instance_id',
  'reported_at',
  'provider',
  'health_epoch',
  'rest',
  'rest_until',
  'trial_at',
  'headroom_bps',
  'headroom_until',
];

const WRITE = `
  WITH reported AS (
    SELECT * FROM jsonb_to_recordset($2) AS r (credential text, provider text, health_epoch int,
      endpoint_id text, rest text, rests_for_ms float8, trial_in_ms float8, headroom_bps int, headroom_for_ms float8,
      is_news boolean)
  ), written AS (
    INSERT INTO credential_reports (credential, endpoint_id, ${REPORTED.join(', ')})
    SELECT credential, endpoint_id, $1, now(), provider, health_epoch, rest,
      ${DUE_NOW} + rests_for_ms * interval '1 ms', ${DUE_NOW} + trial_in_ms * interval '1 ms',
      headroom_bps, ${DUE_NOW} + headroom_for_ms * interval '1 ms'
    FROM reported
    -- In one order, so that edges that report the same credentials wait for each other and don't deadlock.
    ORDER BY credential, endpoint_id
    ON CONFLICT (credential, endpoint_id) DO UPDATE
    SET ${REPORTED.map((column) => `${column} = excluded.${column}`).join(', ')}
    -- An edge that has not seen a rotation yet says nothing of the new secret.
    WHERE credential_reports.health_epoch <= excluded.health_epoch
  )
  SELECT pg_notify('svc_changes', jsonb_build_object(
    'table', 'credential_reports', 'edge_instance_id', $1::text,
    'credential', credential, 'health_epoch', health_epoch, 'endpoint_id', endpoint_id,
    'rest', rest, 'rests_for_ms', rests_for_ms, 'trial_in_ms', trial_in_ms)::text)
  FROM reported WHERE is_news`;

const rowOf = (report: CredentialReport) => ({
  credential: report.credential,
  provider: report.provider,
  health_epoch: report.healthEpoch,
  endpoint_id: report.endpointId ?? '',
  rest: report.rest,
  rests_for_ms: report.restsForMs,
  trial_in_ms: report.trialInMs,
  headroom_bps: report.headroomBps,
  headroom_for_ms: report.headroomForMs,
  is_news: report.isNews,
});

interface Row {
  readonly credential: string;
  /** Empty: everywhere. */
  readonly endpointId: string;
  readonly isRefused: boolean;
  /** Null where it does not cool. */
  readonly coolsUntil: Date | null;
  readonly trialAt: Date | null;
  readonly headroomBps: number | null;
}

const REPORTED_BY_LIVE_EDGES = `
  SELECT r.credential, r.endpoint_id AS "endpointId", r.trial_at AS "trialAt",
    coalesce(r.rest = 'refused', false) AS "isRefused",
    CASE WHEN r.rest <> 'refused' AND r.rest_until > clock_timestamp() THEN r.rest_until END AS "coolsUntil",
    CASE WHEN r.headroom_until > clock_timestamp() THEN r.headroom_bps END AS "headroomBps"
  FROM unnest($1::text[], $2::int[]) AS asked (credential, health_epoch)
  JOIN credential_reports r ON r.credential = asked.credential AND r.health_epoch = asked.health_epoch
  JOIN edge_instances e ON e.id = r.edge_instance_id AND e.lease_until > clock_timestamp()
  ORDER BY r.credential, r.endpoint_id`;

function healthIn(rows: readonly Row[]): ReportedHealth {
  if (rows.length === 0) return UNREPORTED;
  const refused = rows.find(({ isRefused }) => isRefused);
  const cooling = rows.flatMap(({ endpointId, coolsUntil }) =>
    coolsUntil === null ? [] : [{ endpointId, until: coolsUntil }],
  );
  const headrooms = rows.flatMap(({ headroomBps }) => headroomBps ?? []);
  const resting = refused === undefined ? rows.filter(({ coolsUntil }) => coolsUntil !== null) : [refused];
  const trials = resting.flatMap(({ trialAt }) => trialAt?.getTime() ?? []);
  return {
    health: refused !== undefined ? 'refused' : cooling.length > 0 ? 'cooling' : 'ok',
    retryAt: trials.length === 0 ? null : new Date(Math.min(...trials)),
    cooling,
    headroomBps: headrooms.length === 0 ? null : Math.min(...headrooms),
  };
}
