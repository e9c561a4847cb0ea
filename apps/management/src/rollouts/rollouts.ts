import { Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { changedFields } from '@svc/database';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { endedRolloutData, LowerPolicyStore, type MeasuredRollout, RolloutStore } from '@svc/policy/store';
import { refuseNarrowedKey, refuseProject } from '../policy/narrowed-keys';

/** An organization's rollouts. Its policy begins and removes them, and the worker ends them. */
@Injectable()
export class Rollouts {
  constructor(
    private readonly store: RolloutStore,
    private readonly lower: LowerPolicyStore,
    private readonly mutations: Mutations,
  ) {}

  /** @throws GatewayError `permissionDenied` for a key of one project. */
  async list({ organizationId, projectId }: Caller, page: Page): Promise<Slice<MeasuredRollout>> {
    refuseProject(projectId);
    return this.store.listRollouts(organizationId, page);
  }

  /** @throws GatewayError `notFound`; `permissionDenied` for a key of one project. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<MeasuredRollout> {
    refuseProject(projectId);
    return known(await this.store.findRollout(organizationId, id));
  }

  /**
   * @throws GatewayError `notFound`; `conflict` for one that has ended; `permissionDenied` for a key of one project, or that has a
   * policy.
   */
  async abort(caller: Caller, id: string): Promise<MeasuredRollout> {
    const { organizationId } = caller;
    await this.get(caller, id);
    return this.mutations.run(caller, async ({ tx, audit, announce }) => {
      await refuseNarrowedKey(tx, caller, this.lower);
      const ended = await this.store.endRollout(tx, organizationId, id, { state: 'aborted', reason: 'user' });
      if (ended === null) throw new GatewayError('conflict', 'The rollout has ended already.');
      const changes = changedFields(
        { state: 'running', reason: null },
        { state: ended.state, reason: ended.reason },
      );
      await audit('rollout.abort', id, changes);
      await announce('rollout.aborted', endedRolloutData(ended, 'user', ended.arms.treatment));
      return ended;
    });
  }
}
