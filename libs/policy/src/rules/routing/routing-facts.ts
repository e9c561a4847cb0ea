import { type Catalog, type ModelEndpoint, type Provider } from '@svc/catalog';
import {
  NO_ANTHROPIC_HEADERS,
  type AccountReference,
  type AnthropicHeaders,
  type JsonRecord,
  type KeptData,
  type Loss,
  type Operation,
  type PricedFeature,
  type UnpaidOptions,
} from '@svc/protocol';
import { type AffinityEntry } from '../affinity/affinity-entry';
import { type CredentialChoice } from '../credentials/credential-choice';
import { type OrderedCredential } from '../credentials/credential-order';
import { type Policy } from '../policy/policy';
import { type Move } from '../rollouts/rollout';
import { type EndpointFigures } from './endpoint-figures';

/** The facts of a call that a plan depends on. */
export interface RoutingCall {
  readonly modelId: string;
  readonly operation: Operation;
  readonly compatMode: 'permissive' | 'strict';
  /** Its optional parameters that are not null. */
  readonly parameters: readonly string[];
  /** Those of them that the route does not know. */
  readonly extraParameters: readonly string[];
  readonly anthropic: AnthropicHeaders;
  readonly pricedFeatures: readonly PricedFeature[];
  readonly unpaid: UnpaidOptions;
  readonly kept: KeptData;
  readonly accountReferences: readonly AccountReference[];
  /** Of output, per choice; null where it set no limit. */
  readonly outputTokensAsked: number | null;
  /** Without members that are too large to be values of a parameter. */
  readonly body: JsonRecord;
  /** True where it sends reasoning back, which some providers refuse. */
  readonly sendsReasoning: boolean;
  /** True where its messages have what some providers of chat completions do not take. */
  readonly exceedsChatForm: boolean;
  /** True where an embeddings call sends tokens, which some providers refuse. */
  readonly sendsTokens: boolean;
  /** True where even an endpoint of its own protocol is not sent it as it is. */
  readonly needsRewriting: boolean;
  /** The losses at an endpoint that speaks another protocol, or is not sent the call as it is. */
  untranslatable(endpoint: ModelEndpoint): readonly Loss[];
}

/** A call that sets nothing but its model: any endpoint that serves the operation can take it as it is. */
export const plainCall = (modelId: string, operation: Operation): RoutingCall => ({
  modelId,
  operation,
  compatMode: 'permissive',
  parameters: [],
  extraParameters: [],
  anthropic: NO_ANTHROPIC_HEADERS,
  pricedFeatures: [],
  unpaid: { losses: [], omit: [], hasParts: false },
  kept: { losses: [], omit: [] },
  accountReferences: [],
  outputTokensAsked: null,
  body: {},
  sendsReasoning: false,
  exceedsChatForm: false,
  sendsTokens: false,
  needsRewriting: false,
  untranslatable: () => [],
});

/** The facts that decide which part of the catalog an organization can use. */
export interface OrganizationFacts {
  readonly policy: Policy;
  /** True where the platform has a credential for a provider that takes one. */
  hasPlatformCredential(provider: Provider): boolean;
  /** True where the organization stored its own credential. */
  hasOwnCredential(provider: Provider): boolean;
}

/** The credentials that calls are sent with, and what is known of their health. */
export interface CredentialPools {
  /**
   * Those that the call tries at an endpoint, of one owner.
   * @param preferredKey of the credential that comes before equal ones
   */
  choose(
    endpoint: ModelEndpoint,
    source: 'own' | 'platform',
    preferredKey?: string,
  ): CredentialChoice<OrderedCredential>;
  /** Milliseconds, by the clock of the rests. */
  now(): number;
}

export interface RoutingFacts extends OrganizationFacts {
  /** Absent for a plan of which nothing is sent: then it has one attempt an owner. */
  readonly credentials?: CredentialPools;
  /** Where the conversation was answered last. It only orders what may be planned anyway. Null for the first turn. */
  readonly affinity?: AffinityEntry | null;
  /** Ids of the endpoints whose circuit is open. A plan asks only for those that nothing else rules out. */
  readonly openCircuits: Pick<ReadonlySet<string>, 'has'>;
  /** Recent measurements of an endpoint for calls of this kind. */
  figuresOf(endpoint: ModelEndpoint): EndpointFigures;
}

export interface PlanningFacts extends RoutingFacts {
  readonly catalog: Catalog;
  /** Where a rollout moves the call. Absent for a call that none takes. */
  readonly move?: Move;
}
