import { type Loss, type Operation } from '@svc/protocol';

import { type ModelEndpoint, type Provider } from '../catalog/catalog';
import { type Policy } from '../policy/policy';
import { type EndpointFigures } from './endpoint-figures';

/** What a plan needs to know of a call. */
export interface RoutingCall {
  readonly modelId: string;
  readonly operation: Operation;
  readonly compatMode: 'permissive' | 'strict';
  /** The optional parameters it uses, see {@link usedParameters}. */
  readonly parameters: readonly string[];
  /** What of it is lost at an endpoint that speaks the other protocol. */
  untranslatable(endpoint: ModelEndpoint): readonly Loss[];
}

/** Which part of the catalog an organization can use. */
export interface OrganizationFacts {
  readonly policy: Policy;
  /** Whether the platform holds a credential for a provider that takes one. */
  hasPlatformCredential(provider: Provider): boolean;
  /** Whether the organization stored one of its own. */
  hasOwnCredential(provider: Provider): boolean;
}

export interface RoutingFacts extends OrganizationFacts {
  /** Ids of the endpoints whose circuit is open. */
  readonly openCircuits: ReadonlySet<string>;
  /** What was measured of an endpoint lately, for calls of this kind. */
  figuresOf(endpoint: ModelEndpoint): EndpointFigures;
}
