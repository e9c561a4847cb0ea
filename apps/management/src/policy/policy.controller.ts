import { type PolicyDocument } from '@svc/inference';
import { Get, List, Replace, Resource, type Call } from '@svc/platform/api';
import { type z } from 'zod';
import { Policies } from './policies';
import { newPolicy, policy, policyHeaders, policyVersion } from './policy-schema';
import { presentPolicy, presentPolicyVersion } from './present-policy';

const ids = { policy_id: 'policy' } as const;

@Resource({
  path: 'policy',
  one: 'Policy',
  many: 'PolicyVersions',
  tag: 'Policy',
  description:
    'What of the catalog calls may use, and how they are routed. It applies to every call, at once from when it is written.',
})
export class PolicyController {
  constructor(private readonly policies: Policies) {}

  @Get('', {
    summary: 'The policy that holds.',
    description: 'An organization that has never written one has the default, as version 0.',
    permission: 'policy:read',
    scope: null,
    versioned: true,
    answer: policy,
  })
  async get({ caller }: Call) {
    return presentPolicy(caller.organizationId, await this.policies.current(caller));
  }

  @Replace('', {
    summary: 'Writes the next version of the policy, whole.',
    description:
      'A field that is left out is at its default. Names are taken whether the catalog lists them or not, for a catalog changes. ' +
      'A policy can be read, changed and sent back as it is: what is no part of it (`id`, `version`, …) is ignored. ' +
      'With `If-Match` it replaces that version only.',
    permission: 'policy:write',
    scope: null,
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

function documentIn(body: z.output<typeof newPolicy>): PolicyDocument {
  const {
    id: _id,
    organization_id: _of,
    version: _version,
    created_by: _by,
    created_at: _at,
    ...document
  } = body;
  return document;
}
