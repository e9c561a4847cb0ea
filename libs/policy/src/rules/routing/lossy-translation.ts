import { type Model, type ModelEndpoint } from '@svc/catalog';
import { untranslatable, type Operation, type ParsedCall, type TranslationTarget } from '@svc/protocol';
import { upstreamOperation } from './native-operation';
import { type RoutingCall } from './routing-facts';

/** The endpoint as the target of a translation, without the limit. */
export function endpointAsTarget(
  endpoint: ModelEndpoint,
  operation: Operation,
): Omit<TranslationTarget, 'maxOutputTokens'> {
  const { upstreamModel, extraParameters, builtInTools, takes, provider } = endpoint;
  return {
    operation: upstreamOperation(endpoint, operation),
    upstreamModel,
    ...(extraParameters && { extraParameters }),
    ...(builtInTools && { builtInTools }),
    ...(takes && { takes }),
    ...(provider.chatForm && { chatForm: provider.chatForm }),
    ...(provider.reasoningFields && { reasoningFields: provider.reasoningFields }),
  };
}

/** The target of a call that is planned: its limit may become less with its hold. */
export const plannedTarget = (
  endpoint: ModelEndpoint,
  { operation, maxOutputTokens }: Pick<ParsedCall, 'operation' | 'maxOutputTokens'>,
  model: Model,
): TranslationTarget => ({
  ...endpointAsTarget(endpoint, operation),
  maxOutputTokens: Math.min(maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
});

/** The losses of a call in translation, at each endpoint of its model. */
export const lossesOf =
  (call: ParsedCall, model: Model): RoutingCall['untranslatable'] =>
  (endpoint) =>
    untranslatable(call, plannedTarget(endpoint, call, model));
