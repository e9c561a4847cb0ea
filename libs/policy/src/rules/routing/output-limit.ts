import { type Model } from '@svc/catalog';
import { outputLimitParam } from '@svc/protocol';
import { type Policy } from '../policy/policy';
import { denialText, holdersOf, PolicyRefusal } from '../policy/policy-denials';
import { type CallWarning } from './parameters';
import { type RoutingCall } from './routing-facts';

/** The model with the policy's `max_output_tokens` where that is less than its own maximum. */
export function modelWithin(model: Model, { maxOutputTokens: most }: Pick<Policy, 'maxOutputTokens'>): Model {
  return most === null || most >= model.maxOutputTokens ? model : { ...model, maxOutputTokens: most };
}

/**
 * Tells a call that asks for more output than the policy allows.
 * @param model whose maximum is the policy's
 * @throws PolicyRefusal `capabilityUnsupported` for a strict call
 */
export function outputLimitWarnings(
  { operation, body, outputTokensAsked, compatMode }: RoutingCall,
  { maxOutputTokens }: Model,
  policy: Policy,
): readonly CallWarning[] {
  if (outputTokensAsked === null || outputTokensAsked <= maxOutputTokens) return [];
  const param = outputLimitParam(operation, body) ?? 'max_output_tokens';
  const denials = holdersOf(policy, 'max_output_tokens', (own) => own.maxOutputTokens);
  const message = `${denialText(denials)} limits the output to ${String(maxOutputTokens)} tokens.`;
  if (compatMode === 'strict') throw new PolicyRefusal('capabilityUnsupported', message, denials, { param });
  return [{ param, code: 'limited_by_policy', message }];
}
