import { type EventData } from '@svc/events';
import { type Rollout } from '@svc/database/rows';
import { type RolloutReason } from '../rules/rollouts/judge-rollout';
import { type RolloutSubject, type RolloutTarget } from '../rules/rollouts/rollout';
import { type ArmFigures } from './rollout-arms';

export type RolloutState = 'running' | 'aborted' | 'completed' | 'removed';

/** A rollout as it is stored. */
export interface RolloutRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly model: string;
  readonly to: RolloutTarget;
  readonly shareBps: number;
  readonly by: RolloutSubject;
  readonly endsAt: Date | null;
  readonly maxErrorRateBps: number | null;
  readonly maxTtftP95Ms: number | null;
  readonly minCalls: number;
  readonly state: RolloutState;
  /** Null while it runs, and for one that was removed. */
  readonly reason: RolloutReason | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export const toRolloutRecord = (row: Rollout): RolloutRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  name: row.name,
  model: row.model,
  to: row.target as RolloutTarget,
  shareBps: row.shareBps,
  by: row.subject as RolloutSubject,
  endsAt: row.endsAt,
  maxErrorRateBps: row.maxErrorRateBps,
  maxTtftP95Ms: row.maxTtftP95Ms,
  minCalls: row.minCalls,
  state: row.state as RolloutState,
  reason: row.reason as RolloutReason | null,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
});

/** The data of the event of a rollout's end. @param treatment the calls that it moved */
export const endedRolloutData = (
  { id, name, model, to, shareBps }: RolloutRecord,
  reason: RolloutReason,
  treatment: Pick<ArmFigures, 'calls' | 'failed'>,
): EventData['rollout.aborted'] => ({
  rollout_id: id,
  name,
  model,
  to,
  share_bps: shareBps,
  reason,
  calls: treatment.calls,
  failed: treatment.failed,
});
