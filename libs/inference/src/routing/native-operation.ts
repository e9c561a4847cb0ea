import { type Operation } from '@svc/protocol';

import { type ModelEndpoint, type ProviderProtocol } from '../catalog/catalog';

/** The operation in which a provider of a protocol is asked for a call of each operation. */
const asked: Readonly<Record<ProviderProtocol, Readonly<Record<Operation, Operation>>>> = {
  openai: { chat_completions: 'chat_completions', messages: 'chat_completions', embeddings: 'embeddings' },
  anthropic: { chat_completions: 'messages', messages: 'messages', embeddings: 'embeddings' },
};

/** The operation in which an endpoint is asked for a call. Another than the call's own needs translation. */
export const upstreamOperation = (
  { provider }: Pick<ModelEndpoint, 'provider'>,
  operation: Operation,
): Operation => asked[provider.protocol][operation];

/** Whether an endpoint takes the calls of an operation as they are. */
export const isNative = (endpoint: Pick<ModelEndpoint, 'provider'>, operation: Operation): boolean =>
  upstreamOperation(endpoint, operation) === operation;
