import { type ModelEndpoint, type ProviderProtocol } from '@svc/catalog';
import { type Operation } from '@svc/protocol';

/** The operation in which a provider of a protocol is asked for a call of each operation. */
const asked: Readonly<Record<ProviderProtocol, Readonly<Record<Operation, Operation>>>> = {
  openai: {
    chat_completions: 'chat_completions',
    messages: 'chat_completions',
    responses: 'chat_completions',
    embeddings: 'embeddings',
  },
  anthropic: {
    chat_completions: 'messages',
    messages: 'messages',
    responses: 'messages',
    embeddings: 'embeddings',
  },
};

type AskedEndpoint = Pick<ModelEndpoint, 'provider' | 'operations'>;

/**
 * The operation in which an endpoint is asked for a call. Another than the call's own needs translation. Not every
 * provider of OpenAI's protocol has responses, so an endpoint speaks them only where its operations list them.
 */
export const upstreamOperation = (
  { provider, operations }: AskedEndpoint,
  operation: Operation,
): Operation =>
  operation === 'responses' && operations.has('responses') ? operation : asked[provider.protocol][operation];

/** True where an endpoint takes the calls of an operation as they are. */
export const isNative = (endpoint: AskedEndpoint, operation: Operation): boolean =>
  upstreamOperation(endpoint, operation) === operation;

/** True where an endpoint serves a route. Responses are translated wherever chat completions are served. */
export const serves = ({ operations }: Pick<ModelEndpoint, 'operations'>, operation: Operation): boolean =>
  operations.has(operation) || (operation === 'responses' && operations.has('chat_completions'));

/** True where an endpoint can be sent a call in its own protocol, with no change below the top level. */
export const isSentAsItIs = (
  endpoint: AskedEndpoint,
  { operation, needsRewriting, sendsReasoning, exceedsChatForm }: SentCall,
): boolean =>
  isNative(endpoint, operation) &&
  !needsRewriting &&
  !(sendsReasoning && endpoint.provider.reasoningFields !== undefined) &&
  !(exceedsChatForm && endpoint.provider.chatForm !== undefined);

interface SentCall {
  readonly operation: Operation;
  readonly needsRewriting: boolean;
  readonly sendsReasoning: boolean;
  readonly exceedsChatForm: boolean;
}
