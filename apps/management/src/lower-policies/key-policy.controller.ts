import { Get, List, Replace, Resource, type Call } from '@svc/api';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { LowerPolicyStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { policyHeaders } from '../policy/policy-schema';
import { documentIn } from '../policy/policy-version-fields';
import { LowerPolicies } from './lower-policies';
import {
  keyPolicy,
  keyPolicyVersion,
  newKeyPolicy,
  presentKeyPolicy,
  presentKeyPolicyVersion,
} from './lower-policy-schema';

const ids = { key_id: 'apiKey' } as const;
const versionIds = { ...ids, policy_id: 'policy' } as const;

@Resource({
  path: 'keys/:key_id/policy',
  one: 'KeyPolicy',
  many: 'KeyPolicyVersions',
  tag: 'Policy',
  description: 'Takes away from what a key’s calls may do. It allows nothing that a level above forbids.',
})
class KeyPolicyController {
  constructor(private readonly policies: LowerPolicies) {}

  @Get('', {
    summary: 'The current policy of an API key.',
    description: 'One that was never written is the default, as version 0. It takes nothing away.',
    permission: 'policy:read',
    scope: null,
    versioned: true,
    ids,
    answer: keyPolicy,
  })
  async get({ caller, ids }: Call<{ ids: 'key_id' }>) {
    const current = await this.policies.current(caller, 'key', ids.key_id);
    return presentKeyPolicy(caller.organizationId, ids.key_id, current);
  }

  @Replace('', {
    summary: 'Replaces the policy of an API key by its next version.',
    description:
      'An absent field gets its default, which takes nothing away. A policy can be read, changed and sent back whole. An API key that has ' +
      'a policy writes none. A revoked key keeps its policy.',
    permission: 'policy:write',
    scope: null,
    approval: 'policy.update',
    errors: ['conflict', 'preconditionFailed'],
    versioned: true,
    ids,
    headers: policyHeaders,
    body: newKeyPolicy,
    answer: keyPolicy,
  })
  async replace({
    caller,
    ids,
    body,
    headers,
  }: Call<{ ids: 'key_id'; body: typeof newKeyPolicy; headers: typeof policyHeaders }>) {
    const owner = { level: 'key', ownerId: ids.key_id } as const;
    const document = documentIn(body);
    const written = await this.policies.replace(caller, owner, document, headers['If-Match']);
    return presentKeyPolicyVersion(written);
  }

  @List('versions', {
    summary: 'The versions of the policy of an API key, newest first.',
    permission: 'policy:read',
    scope: null,
    cursor: 'policy',
    ids,
    item: keyPolicyVersion,
  })
  async list({ caller, ids, page }: Call<{ ids: 'key_id' }>) {
    const { items, hasMore } = await this.policies.list(caller, 'key', ids.key_id, page);
    return { items: items.map(presentKeyPolicyVersion), hasMore };
  }

  @Get('versions/:policy_id', {
    summary: 'One version of the policy of an API key.',
    operation: 'getKeyPolicyVersion',
    permission: 'policy:read',
    scope: null,
    ids: versionIds,
    answer: keyPolicyVersion,
  })
  async getVersion({ caller, ids }: Call<{ ids: 'key_id' | 'policy_id' }>) {
    const found = await this.policies.get(caller, 'key', ids.key_id, ids.policy_id);
    return presentKeyPolicyVersion(found);
  }
}

export const keyPolicies: Collection = {
  controllers: [KeyPolicyController],
  services: [LowerPolicies],
  stores: [LowerPolicyStore, ProjectStore, ApiKeyStore],
};
