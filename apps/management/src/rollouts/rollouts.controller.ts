import { Act, Get, List, Resource, type Call } from '@svc/api';
import { LowerPolicyStore, RolloutStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { presentRollout, rollout } from './rollout-schema';
import { Rollouts } from './rollouts';

const ids = { rollout_id: 'rollout' } as const;

@Resource({
  path: 'rollouts',
  one: 'Rollout',
  many: 'Rollouts',
  tag: 'Policy',
  description:
    'Shares of a model’s calls that the policy moves elsewhere, by its field `rollouts`. What they move is measured beside what ' +
    'stays, and a rollout whose calls fail is aborted.',
})
class RolloutsController {
  constructor(private readonly rollouts: Rollouts) {}

  @List('', {
    summary: 'The rollouts, newest first.',
    permission: 'policy:read',
    scope: null,
    cursor: 'rollout',
    item: rollout,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.rollouts.list(caller, page);
    return { items: items.map(presentRollout), hasMore };
  }

  @Get(':rollout_id', {
    summary: 'One rollout.',
    permission: 'policy:read',
    scope: null,
    ids,
    answer: rollout,
  })
  async get({ caller, ids }: Call<{ ids: 'rollout_id' }>) {
    return presentRollout(await this.rollouts.get(caller, ids.rollout_id));
  }

  @Act(':rollout_id/abort', {
    summary: 'Aborts a running rollout.',
    description: 'Its calls stay where they were from the next one on, at the latest after 30 s.',
    permission: 'policy:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: rollout,
  })
  async abort({ caller, ids }: Call<{ ids: 'rollout_id' }>) {
    return presentRollout(await this.rollouts.abort(caller, ids.rollout_id));
  }
}

export const rollouts: Collection = {
  controllers: [RolloutsController],
  services: [Rollouts],
  stores: [RolloutStore, LowerPolicyStore],
};
