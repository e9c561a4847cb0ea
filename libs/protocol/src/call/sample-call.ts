import { encodeUtf8, type JsonRecord } from '../json/byte-text';
import { NO_ANTHROPIC_HEADERS } from './anthropic-headers';
import { type Operation } from './operation';
import { parseCall, type ParsedCall } from './parse-call';
import { usualValues } from './usual-values';

/** A call of which only the names of its parameters are known. */
interface SampledCall {
  readonly operation: Operation;
  readonly model: string;
  readonly compatMode: 'permissive' | 'strict';
  /** Fields of the body. The required ones need not be named. */
  readonly parameters: readonly string[];
  /** Names that the route does not know but some endpoint of the catalog takes. */
  readonly extraParameters: ReadonlySet<string>;
}

/** The fields that each route requires, in their shortest form. */
const required: Readonly<Record<Operation, JsonRecord>> = {
  chat_completions: { messages: [{ role: 'user', content: 'Hello' }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4096 },
  responses: { input: 'Hello' },
  embeddings: { input: 'Hello' },
};

/**
 * A call with these parameters, each with a usual value that differs from its default, as the route reads it.
 * @throws GatewayError as {@link parseCall} for a parameter that the route does not take.
 */
export function sampleCall({
  operation,
  model,
  compatMode,
  parameters,
  extraParameters,
}: SampledCall): ParsedCall {
  const given = parameters
    .filter((name) => name !== 'model' && name !== 'compat_mode')
    .map((name) => [name, valueOf(operation, name)] as const);
  const body = { ...Object.fromEntries(given), model, ...required[operation], compat_mode: compatMode };
  const bytes = encodeUtf8(JSON.stringify(body));
  return parseCall(operation, bytes, { anthropic: NO_ANTHROPIC_HEADERS, extraParameters });
}

/** Fields that only some endpoint knows are sent as they are, whatever their value. */
const valueOf = (operation: Operation, name: string): unknown => usualValues[operation].get(name) ?? true;
