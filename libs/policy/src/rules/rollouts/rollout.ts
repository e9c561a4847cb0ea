import { type ROLLOUT_SUBJECTS, type RolloutDocument } from './rollout-fields';

/** The subject of a rollout: all calls of one go the same way. */
export type RolloutSubject = (typeof ROLLOUT_SUBJECTS)[number];

/** Where a rollout moves calls: at least one is named. */
export type RolloutTarget = Readonly<RolloutDocument['to']>;

/** Where the rollout that takes a call moves it. */
export interface Move {
  readonly to: Pick<RolloutTarget, 'provider' | 'region'>;
  /** True where the call is planned with another model than it asked for: then the rollout places each attempt. */
  readonly isOtherModel: boolean;
}

/** A part of a model's calls that is to be moved elsewhere (docs/rollouts.md). */
export interface Rollout {
  readonly name: string;
  /** Id or alias of the model whose calls are moved. */
  readonly model: string;
  readonly to: RolloutTarget;
  /** Of 10,000 subjects, how many take part. */
  readonly shareBps: number;
  readonly by: RolloutSubject;
}

/** A rollout that moves calls now. */
export interface RunningRollout extends Rollout {
  readonly id: string;
}

export const NO_ROLLOUTS: readonly never[] = [];

export const rolloutOf = ({ name, model, to, share_bps: shareBps, by }: RolloutDocument): Rollout => ({
  name,
  model,
  to,
  shareBps,
  by,
});

/** The rollouts that run. @param ids of those that run, by their names */
export function runningAmong(
  rollouts: readonly Rollout[],
  ids: Readonly<Record<string, string>>,
): readonly RunningRollout[] {
  if (rollouts.length === 0) return NO_ROLLOUTS;
  return rollouts.flatMap((rollout) => {
    const id = Object.hasOwn(ids, rollout.name) ? ids[rollout.name] : undefined;
    return id === undefined ? [] : [{ ...rollout, id }];
  });
}
