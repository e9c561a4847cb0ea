import { endOf, priceOfSeconds, runSecondsMax, secondsBetween, stopsAt } from '@svc/fine-tuning';
import { nanos, ZERO_NANOS, type Nanos } from '@svc/kernel';
import { type EndpointRecord, type EndpointTotals } from '@svc/fine-tuning/store';

/** An endpoint with what follows from its runs, its calls, and the time. */
export interface ShownEndpoint extends EndpointRecord {
  /** Of its last run, else of the catalog; null where that does not offer it. */
  readonly pricePerHour: Nanos | null;
  readonly runningSeconds: number;
  readonly charged: Nanos;
  readonly totalRunningSeconds: number;
  readonly totalCharged: Nanos;
  readonly lastUsedAt: Date | null;
  /** Null where it does not run. */
  readonly stopsAt: Date | null;
}

interface Surroundings {
  readonly totals: EndpointTotals | undefined;
  readonly lastUsedAt: Date | null;
  readonly catalogPrice: Nanos | null;
  /** The price of machines, in basis points of the catalog's price. */
  readonly priceBps: number;
  readonly now: Date;
}

const SECONDS_PER_HOUR = 3_600;

export function shownEndpoint(
  endpoint: EndpointRecord,
  { totals, lastUsedAt, catalogPrice, priceBps, now }: Surroundings,
): ShownEndpoint {
  const { run } = endpoint;
  const runningSeconds = run === null ? 0 : secondsOf(run, now);
  const pricePerHour = run?.pricePerHour ?? catalogPrice;
  const endedSeconds = totals?.endedSeconds ?? 0;
  return {
    ...endpoint,
    pricePerHour: pricePerHour && priceOfSeconds(SECONDS_PER_HOUR, pricePerHour, priceBps),
    runningSeconds,
    charged: run?.charged ?? ZERO_NANOS,
    // The seconds of a run are stored at its end.
    totalRunningSeconds: endedSeconds + (run === null ? 0 : runningSeconds - run.runningSeconds),
    totalCharged: nanos(totals?.charged ?? 0n),
    lastUsedAt,
    stopsAt: stopOf(endpoint, lastUsedAt),
  };
}

type Run = NonNullable<EndpointRecord['run']>;

function secondsOf({ state, runningSince, stoppedServingAt, runningSeconds }: Run, now: Date): number {
  if (runningSince === null || state === 'stopped' || state === 'failed') return runningSeconds;
  return secondsBetween(runningSince, stoppedServingAt ?? now);
}

function stopOf({ run, idleStopMinutes, maxHours }: EndpointRecord, lastCallAt: Date | null): Date | null {
  if (run?.state !== 'running' || run.runningSince === null) return null;
  return stopsAt({
    runningSince: run.runningSince,
    lastCallAt,
    hasCallsInFlight: false,
    idleStopMinutes,
    maxSeconds: runSecondsMax(maxHours),
    heldUntilSecond: run.lastSlice === null ? Infinity : endOf(run.lastSlice),
    holdRefusal: run.holdRefusal,
  });
}
