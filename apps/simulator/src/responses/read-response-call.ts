import {
  type BodyFields,
  isFields,
  missing,
  optionalCount,
  optionalFlag,
  optionalObjects,
  optionalTexts,
  requiredText,
} from '../body/body-fields';
import { type Prompt, type Tool, type ToolChoice } from '../prompt/prompt';
import { forcedTool } from '../prompt/tool-choice';
import { Refusal } from '../refusal';
import { readInput } from './read-input';

const FEWEST_OUTPUT_TOKENS = 16;

export interface ResponseCall {
  readonly prompt: Prompt;
  /** True where the reasoning is told in a summary. */
  readonly summarizes: boolean;
  /** True where reasoning items carry what a later call needs to go on from them. */
  readonly encryptsReasoning: boolean;
  /** True where later calls may refer to the items of the answer. */
  readonly stores: boolean;
  /** The settings of the call, as the response repeats them. */
  readonly settings: object;
}

/** A request body of `/v1/responses`. @throws Refusal 400 or 404. */
export function readResponseCall(body: BodyFields): ResponseCall {
  const model = requiredText(body, 'model');
  const stream = optionalFlag(body, 'stream');
  refuseState(body);
  const tools = readTools(body);
  const reasoning = isFields(body.reasoning) ? body.reasoning : {};
  const summarizes = typeof (reasoning.summary ?? reasoning.generate_summary) === 'string';
  return {
    prompt: {
      model,
      stream,
      usageInStream: true,
      ...readInput(body).summary(),
      tools,
      toolChoice: readToolChoice(body.tool_choice, tools),
      stopSequences: [],
      outputTokenLimit: readOutputTokenLimit(body),
      choiceCount: 1,
      answerSchema: readAnswerSchema(body.text),
      thinks: reasoning.effort !== 'none' && (typeof reasoning.effort === 'string' || summarizes),
    },
    summarizes,
    encryptsReasoning: optionalTexts(body, 'include').includes('reasoning.encrypted_content'),
    stores: body.store !== false,
    settings: settingsOf(body),
  };
}

/** Responses are simulated without anything that outlives them. */
function refuseState({ previous_response_id: previous, conversation, background }: BodyFields): void {
  if (typeof previous === 'string') {
    throw new Refusal(400, `Previous response with id '${previous}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
  }
  if ((conversation ?? null) !== null) {
    throw new Refusal(404, 'Conversation not found.', { param: 'conversation' });
  }
  if (background === true) {
    throw new Refusal(400, 'The simulator runs nothing in the background.', {
      param: 'background',
      code: 'unsupported_parameter',
    });
  }
}

/** Only function tools are simulated. */
function readTools(body: BodyFields): readonly Tool[] {
  return optionalObjects(body, 'tools').flatMap(({ type, name, parameters }, at) => {
    if (typeof type !== 'string') throw missing(`tools[${String(at)}].type`);
    if (type !== 'function') return [];
    if (typeof name !== 'string' || name === '') throw missing(`tools[${String(at)}].name`);
    return [{ name, schema: parameters }];
  });
}

function readToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice {
  if (choice === 'none') return { kind: 'none' };
  if (choice === 'required') return forcedTool(tools, undefined);
  if (!isFields(choice)) return { kind: 'auto' };
  if (choice.type === 'function') return forcedTool(tools, String(choice.name));
  if (choice.type !== 'allowed_tools' || choice.mode !== 'required') return { kind: 'auto' };
  return forcedTool(tools, String(optionalObjects(choice, 'tools')[0]?.name));
}

function readOutputTokenLimit(body: BodyFields): number {
  const limit = optionalCount(body, 'max_output_tokens') ?? Infinity;
  if (limit >= FEWEST_OUTPUT_TOKENS) return limit;
  throw new Refusal(
    400,
    `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ` +
      `${String(FEWEST_OUTPUT_TOKENS)}, but got ${String(limit)} instead.`,
    { param: 'max_output_tokens', code: 'integer_below_min_value' },
  );
}

function readAnswerSchema(text: unknown): unknown {
  const format = isFields(text) ? text.format : undefined;
  if (!isFields(format) || format.type === 'text') return undefined;
  if (format.type === 'json_object') {
    return { const: { answer: 'This is the Svc simulator, not a language model.' } };
  }
  if (format.type !== 'json_schema') {
    throw new Refusal(400, `Invalid value for 'text.format.type'.`, {
      param: 'text.format.type',
      code: 'invalid_value',
    });
  }
  for (const member of ['name', 'schema']) {
    if ((format[member] ?? null) === null) throw missing(`text.format.${member}`);
  }
  return format.schema;
}

/** A setting that was not set has OpenAI's default. */
function settingsOf(body: BodyFields): object {
  return {
    background: false,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...(isFields(body.reasoning) ? body.reasoning : {}) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store !== false,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...(isFields(body.text) ? body.text : {}) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  };
}
