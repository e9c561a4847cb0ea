import { type Loss, type Operation, type ParsedCall } from '@svc/protocol';

import { type ModelEndpoint, type ProviderProtocol } from '../catalog/catalog';
import { type RoutingCall } from './routing-facts';

/** What a call consists of whatever its provider supports, and what the service itself answers for. */
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

/** Names of one thing in the two protocols: a catalog entry lists either. */
const counterparts: ReadonlyMap<string, readonly string[]> = new Map([
  ['stop', ['stop_sequences']],
  ['stop_sequences', ['stop']],
  ['response_format', ['output_format', 'output_config']],
  ['output_format', ['output_config', 'response_format']],
  ['output_config', ['output_format', 'response_format', 'reasoning_effort']],
  ['reasoning_effort', ['thinking', 'output_config']],
  ['thinking', ['reasoning_effort']],
]);

/** An entry of `warnings[]` (contract.md section 11). */
export interface CallWarning extends Loss {
  readonly code: 'unsupported_parameter';
}

export const nativeOperation: Readonly<Record<ProviderProtocol, Operation>> = {
  openai: 'chat_completions',
  anthropic: 'messages',
};

/** The optional parameters of a call, as it wrote them. A null one is left out, as several clients write that. */
export function usedParameters({ members: { members }, body }: ParsedCall): readonly string[] {
  const used: string[] = [];
  for (const { key } of members) if (!STRUCTURAL.has(key) && body[key] !== null) used.push(key);
  return used;
}

/** What of a call an endpoint does not take: parameters that are left out where it is called, and what translation loses. */
export function unsupportedBy(
  endpoint: ModelEndpoint,
  call: Pick<RoutingCall, 'operation' | 'parameters' | 'untranslatable'>,
): readonly Loss[] {
  const { parameters, provider } = endpoint;
  const isTranslated = nativeOperation[provider.protocol] !== call.operation;
  const lost = isTranslated ? call.untranslatable(endpoint) : NOTHING_LOST;
  if (parameters === null) return lost;
  const lacking = call.parameters.filter(
    (name) => !takes(parameters, name) && !lost.some(({ param }) => param === name),
  );
  return lacking.length === 0 ? lost : [...lost, ...lacking.map(omission)];
}

const NOTHING_LOST: readonly Loss[] = [];

const takes = (parameters: ReadonlySet<string>, name: string): boolean =>
  parameters.has(name) || (counterparts.get(name)?.some((known) => parameters.has(known)) ?? false);

const omission = (param: string): Loss => ({
  param,
  message: `The provider that answered does not support \`${param}\`; it was omitted.`,
});

/** Tells the caller what the endpoint that answered was not sent (interface.md, Inference: Compatibility rule 3). */
export function warningsOf(losses: readonly Loss[]): readonly CallWarning[] {
  return losses.map(({ param, message }) => ({ param, code: 'unsupported_parameter', message }));
}
