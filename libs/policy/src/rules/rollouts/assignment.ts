import { createHash } from 'node:crypto';
import { type Rollout, type RolloutSubject } from './rollout';

/** The value of each subject in a call; null for none. */
type CallSubjects = Readonly<Record<RolloutSubject, string | null>>;

/** How a call stands to the rollouts of its model. */
interface Assignment<R extends Rollout = Rollout> {
  /** The first rollout that takes the call; null for none. */
  readonly taken: R | null;
  /** Where none takes it: those that it is compared for. */
  readonly compared: readonly R[];
}

const SHARES = 10_000n;

/**
 * True where a subject takes part: the same at each edge without a state, and a larger share keeps whom it had.
 * @param shareBps of 10,000 subjects
 */
export function takesPart({ name, shareBps }: Pick<Rollout, 'name' | 'shareBps'>, subject: string): boolean {
  const digest = createHash('sha256').update(name).update('\0').update(subject).digest();
  return digest.readBigUInt64BE(0) % SHARES < BigInt(shareBps);
}

/**
 * @param rollouts in the order in which they take calls
 * @param isOf whether a rollout names the model of the call
 */
export function assignRollouts<R extends Rollout>(
  rollouts: readonly R[],
  isOf: (rollout: R) => boolean,
  subjects: CallSubjects,
): Assignment<R> {
  const compared: R[] = [];
  for (const rollout of rollouts) {
    const subject = subjects[rollout.by];
    if (subject === null || !isOf(rollout)) continue;
    if (takesPart(rollout, subject)) return { taken: rollout, compared: [] };
    compared.push(rollout);
  }
  return { taken: null, compared };
}
