import { Get, Resource, type Call } from '@svc/api';
import { ApiKeyStore, OrganizationStore, ProjectStore } from '@svc/access/store';
import { LowerPolicyStore, PolicyStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { CallerPolicies } from '../routing/caller-policies';
import { EffectivePolicies } from './effective-policies';
import { effectivePolicy, effectivePolicyQuery, presentEffectivePolicy } from './effective-policy-schema';

@Resource({
  path: 'policy/effective',
  one: 'EffectivePolicy',
  many: 'EffectivePolicies',
  tag: 'Policy',
  description: 'Says what calls of a project or a key stand under, and which level decided it.',
})
class EffectivePolicyController {
  constructor(private readonly effective: EffectivePolicies) {}

  @Get('', {
    summary: 'The policy that calls stand under.',
    description:
      'The policies of the organization, the project and the key, met. Without ids it is that of the organization; a project’s key asks ' +
      'about its own project. A project that is not the key’s is refused.',
    permission: 'policy:read',
    scope: null,
    query: effectivePolicyQuery,
    answer: effectivePolicy,
  })
  async get({ caller, query }: Call<{ query: typeof effectivePolicyQuery }>) {
    const asked = { projectId: query.project_id ?? null, apiKeyId: query.api_key_id ?? null };
    return presentEffectivePolicy(await this.effective.of(caller, asked));
  }
}

export const effectivePolicies: Collection = {
  controllers: [EffectivePolicyController],
  services: [EffectivePolicies, CallerPolicies],
  stores: [PolicyStore, LowerPolicyStore, ProjectStore, ApiKeyStore, OrganizationStore],
};
