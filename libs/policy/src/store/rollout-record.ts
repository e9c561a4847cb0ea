import { type EventData } from '@svc/events';
import { type Rollout } from '@svc/database/rows';
import { type RolloutReason } from '../rules/rollouts/judge-rollout';
import { type RolloutSubject, type RolloutTarget } from '../rules/rollouts/rollout';
import { type ArmFigures } from './rollout-arms';

export type RolloutState = 'running' | 'aborted' | 'completed' | 'removed';

/** Columns whose values are of a narrower type, or have the name that the policy gives them. */
type Narrowed = 'target' | 'subject' | 'state' | 'reason';
/** Columns of the work that judges it. */
type Judgement = 'dueAt' | 'leaseUntil' | 'fence';

/** A rollout as it is stored: each other column is a field (`libs/database/prisma/schema/rollouts.prisma`). */
export interface RolloutRecord extends Readonly<Omit<Rollout, Narrowed | Judgement>> {
  readonly to: RolloutTarget;
  readonly by: RolloutSubject;
  readonly state: RolloutState;
  readonly reason: RolloutReason | null;
}

export const toRolloutRecord = ({
  target,
  subject,
  dueAt: _dueAt,
  leaseUntil: _leaseUntil,
  fence: _fence,
  ...row
}: Rollout): RolloutRecord => ({
  ...row,
  to: target as RolloutTarget,
  by: subject as RolloutSubject,
  state: row.state as RolloutState,
  reason: row.reason as RolloutReason | null,
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
