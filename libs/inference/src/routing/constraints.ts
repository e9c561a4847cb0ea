import { GatewayError } from '@svc/kernel';
import { type Operation } from '@svc/protocol';

import { type ModelEndpoint, type Provider, type ProviderProtocol } from '../catalog/catalog';

export interface RoutingCall {
  readonly modelId: string;
  readonly operation: Operation;
}

export interface RoutingFacts {
  /** Whether the platform or the organization has a usable credential for a provider that needs one. */
  hasCredential(provider: Provider): boolean;
  /** Ids of the endpoints whose circuit is open. */
  readonly openCircuits: ReadonlySet<string>;
}

/** What an endpoint must satisfy, and the refusal when the last one left does not. */
export interface Constraint {
  admits(endpoint: ModelEndpoint, call: RoutingCall, facts: RoutingFacts): boolean;
  /** @param candidates the endpoints that every earlier constraint admitted */
  refusal(call: RoutingCall, candidates: readonly ModelEndpoint[]): GatewayError;
}

const nativeOperation: Readonly<Record<ProviderProtocol, Operation>> = {
  openai: 'chat_completions',
  anthropic: 'messages',
};

const route: Readonly<Record<Operation, string>> = {
  chat_completions: 'POST /v1/chat/completions',
  messages: 'POST /v1/messages',
};

const providerUsable: Constraint = {
  admits: ({ provider }, _, facts) => provider.credentialEnv === null || facts.hasCredential(provider),
  refusal: (call) => modelNotFound(call),
};

const operationServed: Constraint = {
  admits: (endpoint, { operation }) => servedOperation(endpoint) === operation,
  refusal: ({ modelId, operation }, candidates) => {
    const served = candidates.map(servedOperation).find((other) => other !== null);
    const hint = served == null ? '' : ` Use ${route[served]}.`;
    return new GatewayError(
      'operationUnsupported',
      `The model \`${modelId}\` is not served on ${route[operation]}.${hint}`,
      { param: 'model' },
    );
  },
};

const circuitClosed: Constraint = {
  admits: ({ id }, _, facts) => !facts.openCircuits.has(id),
  refusal: ({ modelId }) =>
    new GatewayError(
      'overloaded',
      `Every provider of the model \`${modelId}\` is failing right now. Please retry.`,
    ),
};

/** In the order in which they are judged: the first that leaves nothing decides the answer. */
export const constraints: readonly Constraint[] = [providerUsable, operationServed, circuitClosed];

/** An unknown id is shown back to whoever mistyped it, but not at any length. */
const SHOWN_ID_LENGTH = 200;

/** One answer for what does not exist and what is not available: it never hints which (interface.md, Errors). */
export function modelNotFound({ modelId }: RoutingCall): GatewayError {
  return new GatewayError(
    'notFound',
    `The model \`${modelId.slice(0, SHOWN_ID_LENGTH)}\` does not exist or is not available to your organization.`,
    { param: 'model' },
  );
}

/** An endpoint is called on the route of its provider's own protocol. */
function servedOperation({ provider, operations }: ModelEndpoint): Operation | null {
  const native = nativeOperation[provider.protocol];
  return operations.has(native) ? native : null;
}
