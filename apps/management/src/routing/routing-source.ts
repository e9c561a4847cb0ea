import { Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type ModelEndpoint } from '@svc/catalog';
import {
  DEFAULT_POLICY,
  type EndpointFigures,
  type OrganizationFacts,
  type Policy,
  policyOf,
  readStoredPolicy,
  type RoutingFacts,
  UNMEASURED,
} from '@svc/policy';
import { PolicyStore, ProviderCredentialStore } from '@svc/policy/store';
import { type EdgeFacts, EdgeFactsStore } from '@svc/usage/store';

/** A policy with its name in sentences. */
export interface NamedPolicy {
  readonly policy: Policy;
  readonly policyName: string;
}

/** What the calls of an organization are planned by, as the edges have reported it. */
export class OrganizationRouting {
  constructor(
    readonly inForce: NamedPolicy,
    /** Ids of the organization's own credentials, by their providers' names. */
    private readonly ownCredentials: ReadonlyMap<string, string>,
    private readonly edges: EdgeFacts,
  ) {}

  availabilityFacts(named: NamedPolicy): OrganizationFacts & NamedPolicy {
    return {
      ...named,
      hasOwnCredential: ({ name }) => this.ownCredentials.has(name),
      hasPlatformCredential: ({ name }) => this.edges.platformProviders.has(name),
    };
  }

  planningFacts(named: NamedPolicy, stream: boolean): RoutingFacts & NamedPolicy {
    return {
      ...this.availabilityFacts(named),
      openCircuits: { has: (id) => this.edges.endpoints.get(id)?.isOpen === true },
      figuresOf: (endpoint) => this.figuresOf(endpoint, stream),
    };
  }

  /** The organization's own credential at a provider; null for none. */
  ownCredentialAt(provider: string): string | null {
    return this.ownCredentials.get(provider) ?? null;
  }

  figuresOf({ id }: Pick<ModelEndpoint, 'id'>, stream: boolean): EndpointFigures {
    return this.edges.endpoints.get(id)?.[stream ? 'stream' : 'plain'] ?? UNMEASURED;
  }

  /** Whether an edge has planned with the endpoint lately, so that its circuit is known. */
  isCircuitKnown({ id }: Pick<ModelEndpoint, 'id'>): boolean {
    return this.edges.endpoints.has(id);
  }

  /** The time of the newest report of these endpoints; null without any. */
  factsAsOf(endpoints: readonly ModelEndpoint[]): Date | null {
    const times = endpoints.flatMap(({ id }) => this.edges.endpoints.get(id)?.reportedAt.getTime() ?? []);
    return times.length === 0 ? null : new Date(Math.max(...times));
  }
}

/** Looks up what an organization's calls are planned by. */
@Injectable()
export class RoutingSource {
  constructor(
    private readonly policies: PolicyStore,
    private readonly credentials: ProviderCredentialStore,
    private readonly edges: EdgeFactsStore,
  ) {}

  /** @throws GatewayError `internal` for a policy that cannot be read. */
  async of(caller: Caller): Promise<OrganizationRouting> {
    const [inForce, own, edges] = await Promise.all([
      this.policyOf(caller),
      this.credentials.activeFor(caller.organizationId),
      this.edges.read(),
    ]);
    return new OrganizationRouting(inForce, new Map(own.map(({ provider, id }) => [provider, id])), edges);
  }

  /** The policy in force. @throws GatewayError `internal` for one that cannot be read. */
  async policyOf({ organizationId }: Caller): Promise<NamedPolicy> {
    const current = await this.policies.current(organizationId);
    if (current === null) return { policy: DEFAULT_POLICY, policyName: 'the default policy' };
    return {
      policy: policyOf(readStoredPolicy(current.document)),
      policyName: `policy version ${String(current.version)}`,
    };
  }
}
