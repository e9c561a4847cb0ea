import { type RolloutArm, type RolloutMinute } from '@svc/usage/store';
import { addCall, type CallSum, newCallSum } from './call-sum';
import { type EndedCall } from './ended-call';
import { SumsByMinute } from './sums-by-minute';

/** A side of a rollout that a call counts for. */
export interface CallArm {
  readonly rolloutId: string;
  readonly arm: RolloutArm;
}

/** What both the customer and the organization's own account are charged for a call. */
export interface CallCharges {
  readonly customerNanos: number;
  readonly providerNanos: number;
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
      ...{ rolloutId, arm, providerNanos: 0 },
      ...newCallSum(),
    }));
    if (sum === undefined) return false;
    addCall(sum, call, charges.customerNanos);
    sum.providerNanos += charges.providerNanos;
    return true;
  }
}
