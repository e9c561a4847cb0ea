import { Inject } from '@nestjs/common';
import { ActWith, Resource, type Call } from '@svc/api';
import { TunedModelStore } from '@svc/fine-tuning/store';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { type OrganizationPriceStore } from '@svc/ledger/store';
import { LowerPolicyStore, PolicyStore, ProviderCredentialStore, RolloutStore } from '@svc/policy/store';
import { EdgeFactsStore } from '@svc/usage/store';
import { type Collection } from '../collection';
import { CallerPolicies } from '../routing/caller-policies';
import { OrganizationCatalog } from '../routing/organization-catalog';
import { RoutingSource } from '../routing/routing-source';
import { PRICES } from '../runtime';
import { draftIn } from './draft-in';
import { newPolicySimulation, policySimulation, presentSimulation } from './policy-simulation-schema';
import { PolicySimulations } from './policy-simulations';

@Resource({
  path: 'policy/simulate',
  one: 'PolicySimulation',
  many: 'PolicySimulations',
  tag: 'Policy',
  description: 'Says what calls would do under a draft of the policy.',
})
class PolicySimulationController {
  constructor(
    private readonly simulations: PolicySimulations,
    @Inject(PRICES) private readonly prices: OrganizationPriceStore,
  ) {}

  @ActWith('', {
    summary: 'Simulates calls under a draft of the policy.',
    description:
      'Plans a call as an edge would, by the draft or the policy in force: its attempts in order, the endpoints that it leaves ' +
      'out and why, or its refusal. Without a `model`, it says for which models the draft changes something. Nothing is written, ' +
      'and no provider is called. Rate limits, budgets and the wallet are not simulated. Circuits and speeds are what the edges ' +
      'last reported, at most 10 s ago for endpoints in use. With `project_id` or `api_key_id`, calls stand under their policies too. ' +
      'Of rollouts only those by API key are simulated, for the key that is named.',
    operation: 'simulatePolicy',
    permission: 'policy:read',
    scope: null,
    body: newPolicySimulation,
    answer: policySimulation,
  })
  async simulate({ caller, body }: Call<{ body: typeof newPolicySimulation }>) {
    const simulation = await this.simulations.simulate(caller, {
      draft: draftIn(body),
      projectId: body.project_id,
      apiKeyId: body.api_key_id,
      model: body.model,
      operation: body.operation,
      compatMode: body.compat_mode,
      parameters: body.parameters,
    });
    const { priceBps } = await this.prices.of(caller.organizationId);
    return presentSimulation(simulation, priceBps);
  }
}

export const policySimulations: Collection = {
  controllers: [PolicySimulationController],
  services: [PolicySimulations, OrganizationCatalog, RoutingSource, CallerPolicies],
  stores: [
    PolicyStore,
    LowerPolicyStore,
    ProjectStore,
    ApiKeyStore,
    ProviderCredentialStore,
    RolloutStore,
    EdgeFactsStore,
    TunedModelStore,
  ],
};
