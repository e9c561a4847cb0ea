import { type StopReason } from './endpoint-state';
import { secondsBetween } from './metering';

const MS_PER_MINUTE = 60_000;

/** The facts that may end a run that serves, at one time. */
export interface StopFacts {
  readonly runningSince: Date;
  /** When a call of its model last ended; null for never. */
  readonly lastCallAt: Date | null;
  /** True where a call of its model has not ended yet. */
  readonly hasCallsInFlight: boolean;
  readonly idleStopMinutes: number;
  readonly maxSeconds: number;
  /** The second at which what is held ends. */
  readonly heldUntilSecond: number;
  /** Why the slice after that was refused; null where it was not. */
  readonly holdRefusal: 'budget' | 'wallet_empty' | null;
  readonly isModelDeleted: boolean;
  readonly isSuspended: boolean;
  /** True where the catalog still has its provider and its hardware. */
  readonly isOffered: boolean;
}

/** When it is idle for too long, if no call comes: at the earliest, where calls are in flight. */
export function idleAt({ runningSince, lastCallAt, idleStopMinutes }: IdleFacts): Date {
  const since = Math.max(runningSince.getTime(), lastCallAt?.getTime() ?? 0);
  return new Date(since + idleStopMinutes * MS_PER_MINUTE);
}

type IdleFacts = Pick<StopFacts, 'runningSince' | 'lastCallAt' | 'idleStopMinutes'>;

/** Why a run has to end now; null where it goes on (docs/reference/fine-tuning.md#why-an-endpoint-stops). */
export function stopReasonOf(facts: StopFacts, now: Date): StopReason | null {
  if (facts.isSuspended) return 'organization_suspended';
  if (facts.isModelDeleted) return 'model_deleted';
  if (!facts.isOffered) return 'operator';
  const seconds = secondsBetween(facts.runningSince, now);
  if (seconds >= facts.maxSeconds) return 'max_hours';
  if (facts.holdRefusal !== null && seconds >= facts.heldUntilSecond) return facts.holdRefusal;
  if (!facts.hasCallsInFlight && now >= idleAt(facts)) return 'idle';
  return null;
}

/** The earliest end that is known. */
export function stopsAt(facts: Omit<StopFacts, 'isModelDeleted' | 'isSuspended' | 'isOffered'>): Date {
  const atSecond = (second: number): number => facts.runningSince.getTime() + second * 1_000;
  const ends = [idleAt(facts).getTime(), atSecond(facts.maxSeconds)];
  if (facts.holdRefusal !== null) ends.push(atSecond(facts.heldUntilSecond));
  return new Date(Math.min(...ends));
}
