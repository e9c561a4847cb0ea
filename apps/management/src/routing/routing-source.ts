import { Inject, Injectable } from '@nestjs/common';
import { type ModelEndpoint } from '@svc/catalog';
import {
  type EndpointFigures,
  mainCredential,
  type OrganizationFacts,
  type RoutingFacts,
  UNMEASURED,
} from '@svc/policy';
import { type OrganizationPrices } from '@svc/ledger';
import { type OrganizationPriceStore } from '@svc/ledger/store';
import { ProviderCredentialStore } from '@svc/policy/store';
import { type EdgeFacts, EdgeFactsStore } from '@svc/usage/store';
import { PRICES } from '../runtime';
import {
  CallerPolicies,
  type NamedPolicy,
  namedDraft,
  namedOf,
  type PolicyDraft,
  type PolicyRecords,
  type PolicySubject,
} from './caller-policies';

/** The facts that calls are planned by, as the edges have reported them. */
export class OrganizationRouting {
  /** The policy that the calls stand under now. */
  readonly inForce: NamedPolicy;

  constructor(
    private readonly records: PolicyRecords,
    /** Ids of the organization's own credentials that jobs run with, by their providers' names. */
    private readonly ownCredentials: ReadonlyMap<string, string>,
    private readonly edges: EdgeFacts,
    /** The prices of the organization now. */
    readonly prices: OrganizationPrices,
  ) {
    this.inForce = namedOf(records);
  }

  /** With a draft in the place of what its level has. */
  under(draft: PolicyDraft): NamedPolicy {
    return namedDraft(this.records, draft);
  }

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

  /** The organization's own credential at a provider, for a job; null for none. */
  ownCredentialAt(provider: string): string | null {
    return this.ownCredentials.get(provider) ?? null;
  }

  figuresOf({ id }: Pick<ModelEndpoint, 'id'>, stream: boolean): EndpointFigures {
    return this.edges.endpoints.get(id)?.[stream ? 'stream' : 'plain'] ?? UNMEASURED;
  }

  /** True where an edge has planned with the endpoint lately, so that its circuit is known. */
  isCircuitKnown({ id }: Pick<ModelEndpoint, 'id'>): boolean {
    return this.edges.endpoints.has(id);
  }

  /** The time of the newest report of these endpoints; null without any. */
  factsAsOf(endpoints: readonly ModelEndpoint[]): Date | null {
    const times = endpoints.flatMap(({ id }) => this.edges.endpoints.get(id)?.reportedAt.getTime() ?? []);
    return times.length === 0 ? null : new Date(Math.max(...times));
  }
}

/** Looks up what calls are planned by. */
@Injectable()
export class RoutingSource {
  constructor(
    private readonly policies: CallerPolicies,
    private readonly credentials: ProviderCredentialStore,
    private readonly edges: EdgeFactsStore,
    @Inject(PRICES) private readonly prices: OrganizationPriceStore,
  ) {}

  /** @throws GatewayError `internal` for a policy that cannot be read. */
  async of(subject: PolicySubject): Promise<OrganizationRouting> {
    const [records, own, edges, prices] = await Promise.all([
      this.policies.records(subject),
      this.credentials.activeFor(subject.organizationId),
      this.edges.read(),
      this.prices.of(subject.organizationId),
    ]);
    const ofProviders = Map.groupBy(own, ({ provider }) => provider);
    const main = [...ofProviders].flatMap(([provider, credentials]) => {
      const credential = mainCredential(credentials);
      return credential === undefined ? [] : [[provider, credential.id] as const];
    });
    return new OrganizationRouting(records, new Map(main), edges, prices);
  }

  /** The policy in force. @throws GatewayError `internal` for one that cannot be read. */
  policyOf(subject: PolicySubject): Promise<NamedPolicy> {
    return this.policies.named(subject);
  }
}
