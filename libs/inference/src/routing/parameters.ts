import { type Loss, type Operation, type ParsedCall } from '@svc/protocol';

import { type ModelEndpoint, type ProviderProtocol } from '../catalog/catalog';
import { type RoutingCall } from './routing-facts';

/** Fields that every provider supports, and fields that the service handles itself. */
const STRUCTURAL = new Set([
  'model',
  'messages',
  'system',
  'stream',
  'stream_options',
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
  'compat_mode',
]);

/** Equivalent names in the two protocols: a catalog entry may list either. */
const counterparts: ReadonlyMap<string, readonly string[]> = new Map([
  ['stop', ['stop_sequences']],
  ['stop_sequences', ['stop']],
  ['response_format', ['output_format', 'output_config']],
  ['output_format', ['output_config', 'response_format']],
  ['output_config', ['output_format', 'response_format', 'reasoning_effort']],
  ['reasoning_effort', ['thinking', 'output_config']],
  ['thinking', ['reasoning_effort']],
]);

/** An entry of `warnings[]` (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
export interface CallWarning extends Loss {
  readonly code: 'unsupported_parameter';
}

export const nativeOperation: Readonly<Record<ProviderProtocol, Operation>> = {
  openai: 'chat_completions',
  anthropic: 'messages',
};

/**
 * The optional parameters of a call, in the caller's spelling. Null ones are left out: several clients send null for an
 * absent parameter.
 */
export function usedParameters({ members: { members }, body }: ParsedCall): readonly string[] {
  const used: string[] = [];
  for (const { key } of members) if (!STRUCTURAL.has(key) && body[key] !== null) used.push(key);
  return used;
}

/** What an endpoint does not support of a call: parameters that are not sent to it, and losses of translation. */
export function unsupportedBy(
  endpoint: ModelEndpoint,
  call: Pick<RoutingCall, 'operation' | 'parameters' | 'untranslatable'>,
): readonly Loss[] {
  const { parameters, provider } = endpoint;
  const isTranslated = nativeOperation[provider.protocol] !== call.operation;
  const lost = isTranslated ? call.untranslatable(endpoint) : NO_LOSSES;
  if (parameters === null) return lost;
  const lacking = call.parameters.filter(
    (name) => !takes(parameters, name) && !lost.some(({ param }) => param === name),
  );
  return lacking.length === 0 ? lost : [...lost, ...lacking.map(omission)];
}

const NO_LOSSES: readonly Loss[] = [];

const takes = (parameters: ReadonlySet<string>, name: string): boolean =>
  parameters.has(name) || (counterparts.get(name)?.some((known) => parameters.has(known)) ?? false);

const omission = (param: string): Loss => ({
  param,
  message: `The provider that answered does not support \`${param}\`; it was omitted.`,
});

/**
 * The warnings to the caller about parameters that were not sent to the endpoint that answered
 * (docs/reference/inference-and-compatibility.md#compat_mode).
 */
export function warningsOf(losses: readonly Loss[]): readonly CallWarning[] {
  return losses.map(({ param, message }) => ({ param, code: 'unsupported_parameter', message }));
}
