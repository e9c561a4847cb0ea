import {
  type FineTuningEndpoint,
  type FineTuningEndpointRun,
  type FineTuningEndpointSlice,
} from '@svc/database/rows';
import { nanos, type Nanos } from '@svc/kernel';
import { type EndpointState, type StopReason } from '../rules/endpoints/endpoint-state';
import { type Slice } from '../rules/endpoints/metering';

/** A run of an endpoint: from a start to its end. */
interface EndpointRunRecord {
  /** Also its name at the provider. */
  readonly id: string;
  readonly state: EndpointState;
  /** Null while nothing ended it. */
  readonly stopReason: StopReason | null;
  readonly holdRefusal: 'budget' | 'wallet_empty' | null;
  readonly requestedAt: Date;
  /** Null where it has not served. */
  readonly runningSince: Date | null;
  readonly stoppedServingAt: Date | null;
  readonly pricePerHour: Nanos;
  /** Of what is settled. */
  readonly charged: Nanos;
  /** Of a run that has ended. */
  readonly runningSeconds: number;
  /** The seconds that were held last. */
  readonly lastSlice: Slice | null;
}

/** An endpoint with its last run. */
export interface EndpointRecord {
  readonly id: string;
  readonly organizationId: string;
  /** The project whose key made it; null for the whole organization. */
  readonly projectId: string | null;
  readonly model: string;
  readonly hardware: string;
  readonly idleStopMinutes: number;
  /** Of a run; with two decimals at most. */
  readonly maxHours: number;
  /** Of a run; null for no limit. */
  readonly maxSpend: Nanos | null;
  readonly creatorId: string;
  readonly createdAt: Date;
  readonly state: EndpointState;
  /** Null before the first run. */
  readonly run: EndpointRunRecord | null;
}

/** The settings that people choose. */
export interface EndpointChoices {
  readonly idleStopMinutes: number;
  readonly maxHours: number;
  readonly maxSpend: Nanos | null;
}

type RunRow = FineTuningEndpointRun & { readonly slices: readonly FineTuningEndpointSlice[] };
type Row = FineTuningEndpoint & { readonly runs: readonly RunRow[] };

/** The last run alone. */
export const WITH_LAST_RUN = {
  runs: {
    orderBy: { number: 'desc' },
    take: 1,
    include: { slices: { orderBy: { number: 'desc' }, take: 1 } },
  },
} as const;

export function toEndpointRecord(row: Row): EndpointRecord {
  const run = row.runs[0] === undefined ? null : toRunRecord(row.runs[0]);
  return {
    id: row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    model: row.model,
    hardware: row.hardware,
    idleStopMinutes: row.idleStopMinutes,
    maxHours: row.maxHours / 100,
    maxSpend: row.maxSpendNanos === null ? null : nanos(row.maxSpendNanos),
    creatorId: row.creatorId,
    createdAt: row.createdAt,
    state: run?.state ?? 'stopped',
    run,
  };
}

const toRunRecord = (run: RunRow): EndpointRunRecord => ({
  id: run.id,
  state: run.state as EndpointState,
  stopReason: run.stopReason as StopReason | null,
  holdRefusal: run.holdRefusal as EndpointRunRecord['holdRefusal'],
  requestedAt: run.requestedAt,
  runningSince: run.runningSince,
  stoppedServingAt: run.stoppedServingAt,
  pricePerHour: nanos(run.pricePerHourNanos),
  charged: nanos(run.chargedNanos),
  runningSeconds: run.runningSeconds,
  lastSlice: run.slices[0] ?? null,
});

/** The columns of what people choose. */
export const choicesOf = ({ idleStopMinutes, maxHours, maxSpend }: EndpointChoices) => ({
  idleStopMinutes,
  maxHours: Math.round(maxHours * 100),
  maxSpendNanos: maxSpend,
});
