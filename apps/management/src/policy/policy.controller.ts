import { Get, List, Replace, Resource, type Call } from '@svc/api';
import { LowerPolicyStore, PolicyStore, RolloutStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { Policies } from './policies';
import {
  newPolicy,
  policy,
  policyHeaders,
  policyVersion,
  presentPolicy,
  presentPolicyVersion,
} from './policy-schema';
import { documentIn } from './policy-version-fields';

const ids = { policy_id: 'policy' } as const;

@Resource({
  path: 'policy',
  one: 'Policy',
  many: 'PolicyVersions',
  tag: 'Policy',
  description:
    'Decides which part of the catalog calls may use, and how calls are routed. A change applies from the next call ' +
    'on.',
})
class PolicyController {
  constructor(private readonly policies: Policies) {}

  @Get('', {
    summary: 'The current policy.',
    description: 'An organization that has never written a policy has the default, as version 0.',
    permission: 'policy:read',
    scope: null,
    versioned: true,
    answer: policy,
  })
  async get({ caller }: Call) {
    return presentPolicy(caller.organizationId, await this.policies.current(caller));
  }

  @Replace('', {
    summary: 'Replaces the policy by its next version.',
    description:
      'An absent field gets its default. Names need not be in the catalog, because a catalog changes. A policy can be ' +
      'read, changed and sent back whole: fields such as `id` and `version` are ignored. With `If-Match`, only that ' +
      'version is replaced.',
    permission: 'policy:write',
    scope: null,
    approval: 'policy.update',
    errors: ['preconditionFailed'],
    versioned: true,
    headers: policyHeaders,
    body: newPolicy,
    answer: policy,
  })
  async replace({ caller, body, headers }: Call<{ body: typeof newPolicy; headers: typeof policyHeaders }>) {
    const written = await this.policies.replace(caller, documentIn(body), headers['If-Match']);
    return presentPolicy(caller.organizationId, written);
  }

  @List('versions', {
    summary: 'The versions of the policy, newest first.',
    permission: 'policy:read',
    scope: null,
    cursor: 'policy',
    item: policyVersion,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.policies.list(caller, page);
    return { items: items.map(presentPolicyVersion), hasMore };
  }

  @Get('versions/:policy_id', {
    summary: 'One version of the policy.',
    operation: 'getPolicyVersion',
    permission: 'policy:read',
    scope: null,
    ids,
    answer: policyVersion,
  })
  async getVersion({ caller, ids }: Call<{ ids: 'policy_id' }>) {
    return presentPolicyVersion(await this.policies.get(caller, ids.policy_id));
  }
}

export const policies: Collection = {
  controllers: [PolicyController],
  services: [Policies],
  stores: [PolicyStore, LowerPolicyStore, RolloutStore],
};
