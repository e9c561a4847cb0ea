import { rangeProblem, type Range } from './openai-ranges';
import { strictSchemaProblem } from './openai-schemas';
import { listOf, type Body } from './vendor-rules';

const RANGES: readonly Range[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['top_logprobs', 0, 20],
  ['max_output_tokens', 16, Infinity],
  ['max_tool_calls', 1, Infinity],
];

/** Faults of a body that the types of responses don't say. */
export const responseProblem = (body: Body) =>
  parameterProblem(body) ?? toolProblem(body) ?? reasoningProblem(body) ?? schemaProblem(body);

function parameterProblem(body: Body): string | null {
  const { model, input, stream } = body;
  if (model == null) return "Missing required parameter: 'model'.";
  if (input == null) return 'One of "input" or "previous_response_id" must be provided.';
  if (Array.isArray(input) && input.length === 0)
    return "Invalid 'input': empty array. Expected an array with minimum length 1.";
  if (body.stream_options != null && stream !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  return rangeProblem(body, RANGES);
}

/** Every call of a function needs its output, and every output its call. */
function toolProblem({ input }: Body): string | null {
  const idsOf = (type: string) =>
    listOf(input).flatMap((item) => (item.type === type ? [String(item.call_id)] : []));
  const [calls, outputs] = [idsOf('function_call'), idsOf('function_call_output')];
  const uncalled = outputs.find((id) => !calls.includes(id));
  if (uncalled !== undefined) return `No tool call found for function call output with call_id ${uncalled}.`;
  const unanswered = calls.find((id) => !outputs.includes(id));
  return unanswered === undefined ? null : `No tool output found for function call ${unanswered}.`;
}

/** Reasoning that is not stored must be in the body. */
function reasoningProblem({ input, store }: Body): string | null {
  if (store !== false) return null;
  const missing = listOf(input).find(
    ({ type, encrypted_content: encrypted }) =>
      type === 'item_reference' || (type === 'reasoning' && typeof encrypted !== 'string'),
  );
  return missing === undefined
    ? null
    : `Item with id '${String(missing.id)}' not found. Items are not persisted when \`store\` is set to false.`;
}

function schemaProblem({ text, tools, input, instructions }: Body): string | null {
  const format = ((text ?? {}) as Body).format as Body | undefined;
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify([input, instructions])))
    return "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
  return strictSchemaProblem([
    ...(format?.strict === true ? [{ at: 'response_format', name: format.name, schema: format.schema }] : []),
    ...listOf(tools).flatMap(({ type, name, strict, parameters }) =>
      type === 'function' && strict === true ? [{ at: 'function', name, schema: parameters }] : [],
    ),
  ]);
}
