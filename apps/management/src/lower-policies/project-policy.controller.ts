import { Get, List, Replace, Resource, type Call } from '@svc/api';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { LowerPolicyStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { policyHeaders } from '../policy/policy-schema';
import { documentIn } from '../policy/policy-version-fields';
import { LowerPolicies } from './lower-policies';
import {
  projectPolicy,
  projectPolicyVersion,
  newProjectPolicy,
  presentProjectPolicy,
  presentProjectPolicyVersion,
} from './lower-policy-schema';

const ids = { project_id: 'project' } as const;
const versionIds = { ...ids, policy_id: 'policy' } as const;

@Resource({
  path: 'projects/:project_id/policy',
  one: 'ProjectPolicy',
  many: 'ProjectPolicyVersions',
  tag: 'Policy',
  description: 'Takes away from what a project’s calls may do. It allows nothing that a level above forbids.',
})
class ProjectPolicyController {
  constructor(private readonly policies: LowerPolicies) {}

  @Get('', {
    summary: 'The current policy of a project.',
    description: 'One that was never written is the default, as version 0. It takes nothing away.',
    permission: 'policy:read',
    scope: null,
    versioned: true,
    ids,
    answer: projectPolicy,
  })
  async get({ caller, ids }: Call<{ ids: 'project_id' }>) {
    const current = await this.policies.current(caller, 'project', ids.project_id);
    return presentProjectPolicy(caller.organizationId, ids.project_id, current);
  }

  @Replace('', {
    summary: 'Replaces the policy of a project by its next version.',
    description:
      'An absent field gets its default, which takes nothing away. A policy can be read, changed and sent back whole. An API key that has ' +
      'a policy writes none. An archived project keeps its policy.',
    permission: 'policy:write',
    scope: null,
    approval: 'policy.update',
    errors: ['conflict', 'preconditionFailed'],
    versioned: true,
    ids,
    headers: policyHeaders,
    body: newProjectPolicy,
    answer: projectPolicy,
  })
  async replace({
    caller,
    ids,
    body,
    headers,
  }: Call<{ ids: 'project_id'; body: typeof newProjectPolicy; headers: typeof policyHeaders }>) {
    const owner = { level: 'project', ownerId: ids.project_id } as const;
    const document = documentIn(body);
    const written = await this.policies.replace(caller, owner, document, headers['If-Match']);
    return presentProjectPolicyVersion(written);
  }

  @List('versions', {
    summary: 'The versions of the policy of a project, newest first.',
    permission: 'policy:read',
    scope: null,
    cursor: 'policy',
    ids,
    item: projectPolicyVersion,
  })
  async list({ caller, ids, page }: Call<{ ids: 'project_id' }>) {
    const { items, hasMore } = await this.policies.list(caller, 'project', ids.project_id, page);
    return { items: items.map(presentProjectPolicyVersion), hasMore };
  }

  @Get('versions/:policy_id', {
    summary: 'One version of the policy of a project.',
    operation: 'getProjectPolicyVersion',
    permission: 'policy:read',
    scope: null,
    ids: versionIds,
    answer: projectPolicyVersion,
  })
  async getVersion({ caller, ids }: Call<{ ids: 'project_id' | 'policy_id' }>) {
    const found = await this.policies.get(caller, 'project', ids.project_id, ids.policy_id);
    return presentProjectPolicyVersion(found);
  }
}

export const projectPolicies: Collection = {
  controllers: [ProjectPolicyController],
  services: [LowerPolicies],
  stores: [LowerPolicyStore, ProjectStore, ApiKeyStore],
};
