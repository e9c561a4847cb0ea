import { rangeProblem, type Range } from './openai-ranges';
import { strictSchemaProblem } from './openai-schemas';
import { listOf, type Body } from './vendor-rules';

/** Faults of a body that the types of chat completions don't say. */
export const chatProblem = (body: Body) =>
  parameterProblem(body) ?? toolProblem(body) ?? functionProblem(body) ?? schemaProblem(body);

function parameterProblem(body: Body): string | null {
  const has = (name: string) => body[name] != null;
  // https://platform.openai.com/docs/api-reference/chat/create#chat-create-max_tokens: models that reason don't take it.
  if (has('max_tokens') && !has('max_completion_tokens'))
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
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
  return rangeProblem(body, RANGES);
}

const RANGES: readonly Range[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['frequency_penalty', -2, 2],
  ['presence_penalty', -2, 2],
  ['n', 1, 128],
  ['max_tokens', 1, Infinity],
  ['max_completion_tokens', 1, Infinity],
];

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

const NAME_LENGTH_MAX = 64;

/** `name` and `parameters` of a function: https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools */
function functionProblem({ tools }: Body): string | null {
  for (const [at, { function: definition }] of listOf(tools).entries()) {
    const { name, parameters } = (definition ?? {}) as Body;
    const { length } = String(name);
    if (length > NAME_LENGTH_MAX)
      return `Invalid 'tools[${String(at)}].function.name': string too long. Expected a string with maximum length 64, but got a string with length ${String(length)} instead.`;
    const { type, properties } = (parameters ?? {}) as Body;
    if (type === 'object' && properties == null)
      return `Invalid schema for function '${String(name)}': In context=(), object schema missing properties.`;
  }
  return null;
}

function schemaProblem({ response_format: format, tools, messages }: Body): string | null {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: Body };
  if (type === 'json_object' && !/json/i.test(JSON.stringify(messages)))
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  return strictSchemaProblem([
    ...(named?.strict === true ? [{ at: 'response_format', name: named.name, schema: named.schema }] : []),
    ...listOf(tools).flatMap(({ function: tool }) => {
      const { name, strict: isStrict, parameters } = (tool ?? {}) as Body;
      return isStrict === true ? [{ at: 'function', name, schema: parameters }] : [];
    }),
  ]);
}
