import { type RolloutArm, type RolloutMinute } from '@svc/usage/store';
import { addCall, type CallCharges, type CallSum, newCallSum } from './call-sum';
import { type EndedCall } from './ended-call';
import { SumsByMinute } from './sums-by-minute';

/** A side of a rollout that a call counts for. */
export interface CallArm {
  readonly rolloutId: string;
  readonly arm: RolloutArm;
}

type MeasuredCall = Pick<EndedCall, 'status' | 'httpStatus' | 'usage' | 'ttftMs' | 'durationMs'>;

/** A row of the database, as it grows. */
type RolloutMinuteSum = { -readonly [Field in keyof RolloutMinute]: RolloutMinute[Field] } & CallSum;

/** The sums of calls by minute, rollout and arm. */
export class RolloutMinuteSums extends SumsByMinute<RolloutMinuteSum> {
  /** @returns false where the call was dropped. */
  add({ rolloutId, arm }: CallArm, call: MeasuredCall, charges: CallCharges): boolean {
    const sum = this.sumOf(`${rolloutId} ${arm}`, (place) => ({
      ...place,
      ...{ rolloutId, arm },
      ...newCallSum(),
    }));
    if (sum === undefined) return false;
    addCall(sum, call, charges);
    return true;
  }
}
