import { type ModelEndpoint } from '@svc/catalog';
import {
  lostAnthropicHeaders,
  refusedMessage,
  refusedPaths,
  type Loss,
  type ParsedCall,
} from '@svc/protocol';
import { takesAnthropicHeaders } from './betas';
import { isNative, isSentAsItIs } from './native-operation';
import { type RoutingCall } from './routing-facts';

/** Fields that every provider supports, and fields that the service handles itself. */
const STRUCTURAL = new Set([
  'model',
  'messages',
  'input',
  'system',
  'stream',
  'stream_options',
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
  'compat_mode',
  // Of a responses call. What translation makes of them is told as its loss.
  'instructions',
  'store',
  'include',
  'truncation',
]);

/** Equivalent names in the protocols: a catalog entry may list any of them. */
const counterparts: ReadonlyMap<string, readonly string[]> = new Map([
  ['stop', ['stop_sequences']],
  ['stop_sequences', ['stop']],
  ['response_format', ['output_format', 'output_config']],
  ['output_format', ['output_config', 'response_format']],
  ['output_config', ['output_format', 'response_format', 'reasoning_effort']],
  ['reasoning_effort', ['thinking', 'output_config']],
  ['thinking', ['reasoning_effort']],
  ['text', ['response_format', 'verbosity', 'output_format', 'output_config']],
  ['reasoning', ['reasoning_effort', 'thinking', 'output_config']],
]);

/** An entry of `warnings[]` (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
export interface CallWarning extends Loss {
  readonly code: 'unsupported_parameter' | 'limited_by_policy';
}

/** The facts of a parsed call that a plan depends on. */
export function routingCallOf(
  parsed: ParsedCall,
  untranslatable: RoutingCall['untranslatable'],
): RoutingCall {
  return {
    modelId: parsed.model,
    operation: parsed.operation,
    compatMode: parsed.compatMode,
    parameters: usedParameters(parsed),
    extraParameters: usedExtraParameters(parsed),
    anthropic: parsed.anthropic,
    pricedFeatures: parsed.pricedFeatures,
    unpaid: parsed.unpaid,
    kept: parsed.kept,
    accountReferences: parsed.accountReferences,
    outputTokensAsked: parsed.maxOutputTokens,
    body: parsed.body,
    sendsReasoning: parsed.sendsReasoning,
    exceedsChatForm: parsed.exceedsChatForm,
    sendsTokens: parsed.sendsTokens,
    needsRewriting: parsed.needsRewriting,
    untranslatable,
  };
}

/**
 * The optional parameters of a call, in the caller's spelling. Null ones are left out: several clients send null for an
 * absent parameter.
 */
function usedParameters({ members: { members }, body }: ParsedCall): readonly string[] {
  const used: string[] = [];
  for (const { key } of members) if (!STRUCTURAL.has(key) && body[key] !== null) used.push(key);
  return used;
}

function usedExtraParameters({ extraParameters, body }: ParsedCall): readonly string[] {
  if (extraParameters.length === 0) return extraParameters;
  return extraParameters.filter((name) => body[name] !== null);
}

type AskingCall = Pick<
  RoutingCall,
  | 'operation'
  | 'parameters'
  | 'extraParameters'
  | 'anthropic'
  | 'body'
  | 'sendsReasoning'
  | 'exceedsChatForm'
  | 'needsRewriting'
  | 'untranslatable'
>;

/**
 * The parts of a call that an endpoint does not support: parameters and headers that are not sent to it, and losses of
 * translation.
 * @param lacking as {@link lackedBy} finds them
 * @param refused as {@link refusedBy} finds them
 */
export function unsupportedBy(
  endpoint: ModelEndpoint,
  call: AskingCall,
  lacking = lackedBy(endpoint, call),
  refused = refusedBy(endpoint, call),
): readonly Loss[] {
  const { operation, anthropic } = call;
  const lost = isSentAsItIs(endpoint, call) ? NO_LOSSES : call.untranslatable(endpoint);
  const headers = takesAnthropicHeaders(endpoint, operation) ? NO_NAMES : lostAnthropicHeaders(anthropic);
  if (lacking.length + headers.length + refused.length === 0) return lost;
  const named = new Set(lost.map(({ param }) => param));
  const unnamed = (names: readonly string[]) => names.filter((name) => !named.has(name));
  return [
    ...lost,
    ...unnamed(lacking).map(omission),
    ...unnamed(refused.filter((path) => !lacking.includes(path))).map(refusal),
    ...headers.map(headerOmission),
  ];
}

/** Parameters, and members of them, of which a model does not take the call's value. Translation leaves out those that it makes. */
export function refusedBy(
  endpoint: ModelEndpoint,
  { operation, body }: Pick<AskingCall, 'operation' | 'body'>,
): readonly string[] {
  const { takes: taken } = endpoint;
  return taken === undefined || !isNative(endpoint, operation) ? NO_NAMES : refusedPaths(body, taken);
}

/** The parameters of a call that an endpoint does not take. Translation may lose a part of others. */
export function lackedBy(endpoint: ModelEndpoint, call: AskingCall): readonly string[] {
  const named = endpoint.parameters === null ? call.extraParameters : call.parameters;
  if (named.length === 0) return NO_NAMES;
  return named.filter((name) => !takes(endpoint, name, call));
}

const NO_LOSSES: readonly Loss[] = [];
const NO_NAMES: readonly string[] = [];

function takes({ parameters, extraParameters }: ModelEndpoint, name: string, call: AskingCall): boolean {
  if (extraParameters?.has(name) === true) return true;
  if (call.extraParameters.includes(name)) return false;
  if (parameters === null || parameters.has(name)) return true;
  return counterparts.get(name)?.some((known) => parameters.has(known)) ?? false;
}

/** True where an endpoint makes embeddings of what the call sends. Tokens of one model mean nothing to another, so nothing stands for them. */
export const takesInput = (
  { textInputOnly }: Pick<ModelEndpoint, 'textInputOnly'>,
  { sendsTokens }: Pick<RoutingCall, 'sendsTokens'>,
): boolean => !sendsTokens || textInputOnly !== true;

const omission = (param: string): Loss => ({
  param,
  message: `The provider that answered does not support \`${param}\`; it was omitted.`,
});

const refusal = (param: string): Loss => ({ param, message: refusedMessage(param) });

const headerOmission = (param: string): Loss => ({
  param,
  message: `\`${param}\` is for a call of /v1/messages to a provider of that protocol; it was left out.`,
});

/**
 * The warnings to the caller about parameters that were not sent to the endpoint that answered
 * (docs/reference/inference-and-compatibility.md#compat_mode).
 */
export function warningsOf(losses: readonly Loss[]): readonly CallWarning[] {
  return losses.map(({ param, message }) => ({ param, code: 'unsupported_parameter', message }));
}
