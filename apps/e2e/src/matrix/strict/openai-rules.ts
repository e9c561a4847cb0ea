import {
  firstFault,
  listOf,
  refusal,
  type Body,
  type Refusal,
  type VendorCall,
  type VendorRules,
} from './vendor-rules';
import { VendorTypes, type Fault } from './vendor-types';

/** OpenAI's chat completions: its SDK's types, and what they don't say. */
export class OpenAiRules implements VendorRules {
  private readonly types = new VendorTypes('openai/resources/chat/completions/completions.d.ts');

  refuse({ path, headers, body }: VendorCall): Refusal | null {
    if (path !== '/chat/completions') return refusal(`Invalid URL (POST /v1${path})`, 404);
    if (!/^Bearer \S+$/.test(String(headers.authorization)))
      return refusal("You didn't provide an API key.", 401);
    const fault = firstFault(this.types.faultsOf(body, 'ChatCompletionCreateParams'));
    const message = fault
      ? messageOf(fault)
      : (parameterProblem(body) ?? toolProblem(body) ?? schemaProblem(body));
    return message === null ? null : refusal(message);
  }

  errorBody({ message }: Refusal): object {
    return { error: { message, type: 'invalid_request_error', param: null, code: null } };
  }
}

function messageOf({ path, problem, expected, given }: Fault): string {
  const name = path.reduce<string>(
    (all, step) => (typeof step === 'number' ? `${all}[${String(step)}]` : `${all}${all && '.'}${step}`),
    '',
  );
  if (problem === 'missing') return `Missing required parameter: '${name}'.`;
  if (problem === 'unknown')
    return path.length === 1
      ? `Unrecognized request argument supplied: ${name}`
      : `Unknown parameter: '${name}'.`;
  if (problem === 'value')
    return `Invalid value: '${String(given)}'. Supported values are: ${expected.join(', ')}.`;
  return `Invalid type for '${name}': expected one of ${expected.join(' or ')}, but got ${typeof given} instead.`;
}

function parameterProblem(body: Body): string | null {
  const has = (name: string) => body[name] != null;
  if (has('max_tokens') && has('max_completion_tokens'))
    return "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
  if (has('stream_options') && body.stream !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  if (!has('tools'))
    for (const name of ['tool_choice', 'parallel_tool_calls'])
      if (has(name)) return `'${name}' is only allowed when 'tools' are specified.`;
  if (has('tools') && listOf(body.tools).length === 0)
    return "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  if (has('metadata') && body.store !== true)
    return "The 'metadata' parameter is only allowed when 'store' is enabled.";
  if (has('top_logprobs') && body.logprobs !== true)
    return "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.";
  if (listOf(body.messages).length === 0)
    return "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  if (Array.isArray(body.stop) && body.stop.length > 4)
    return `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${String(body.stop.length)} instead.`;
  return rangeProblem(body);
}

const RANGES: readonly (readonly [name: string, least: number, most: number])[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['frequency_penalty', -2, 2],
  ['presence_penalty', -2, 2],
  ['n', 1, 128],
  ['max_tokens', 1, Infinity],
  ['max_completion_tokens', 1, Infinity],
];

function rangeProblem(body: Body): string | null {
  for (const [name, least, most] of RANGES) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    const below = value < least;
    if (below || value > most)
      return `Invalid '${name}': ${below ? 'integer below minimum' : 'decimal above maximum'} value. Expected a value ${below ? '>=' : '<='} ${String(below ? least : most)}, but got ${String(value)} instead.`;
  }
  return null;
}

/** Every call of a tool needs its result right behind it, and no other. */
function toolProblem({ messages }: Body): string | null {
  let open: ReadonlySet<string> = new Set();
  for (const [at, message] of listOf(messages).entries()) {
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!open.has(id))
        return `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`;
      open = new Set([...open].filter((other) => other !== id));
      continue;
    }
    if (open.size > 0) return unansweredProblem(open);
    const calls = listOf(message.tool_calls);
    if (
      message.role === 'assistant' &&
      message.content == null &&
      calls.length === 0 &&
      message.function_call == null &&
      message.refusal == null
    )
      return `Invalid value for 'content': expected a string, got null. (messages[${String(at)}])`;
    open = new Set(calls.map(({ id }) => String(id)));
  }
  return open.size > 0 ? unansweredProblem(open) : null;
}

const unansweredProblem = (ids: ReadonlySet<string>) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`;

function schemaProblem({ response_format: format, tools, messages }: Body): string | null {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: Body };
  if (type === 'json_object' && !/json/i.test(JSON.stringify(messages)))
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  const strict = [
    ...(named?.strict === true ? [{ at: 'response_format', name: named.name, schema: named.schema }] : []),
    ...listOf(tools).flatMap(({ function: tool }) => {
      const { name, strict: isStrict, parameters } = (tool ?? {}) as Body;
      return isStrict === true ? [{ at: 'function', name, schema: parameters }] : [];
    }),
  ];
  for (const { at, name, schema } of strict)
    for (const object of objectsOf(schema)) {
      const start = `Invalid schema for ${at} '${String(name)}':`;
      if (object.additionalProperties !== false)
        return `${start} 'additionalProperties' is required to be supplied and to be false.`;
      const required = new Set(Array.isArray(object.required) ? (object.required as unknown[]) : []);
      const left = Object.keys((object.properties ?? {}) as Body).find((key) => !required.has(key));
      if (left !== undefined)
        return `${start} 'required' is required to be supplied and to be an array including every key in properties. Missing '${left}'.`;
    }
  return null;
}

/** Every schema of an object inside a JSON schema. */
function objectsOf(schema: unknown): readonly Body[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Body;
  const inner = Object.values(own).flatMap((value) =>
    Array.isArray(value) ? value.flatMap(objectsOf) : objectsOf(value),
  );
  return own.type === 'object' ? [own, ...inner] : inner;
}
