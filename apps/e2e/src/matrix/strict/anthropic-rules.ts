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

const BODY_TYPES: Readonly<Record<string, string>> = {
  '/messages': 'MessageCreateParams',
  '/messages/count_tokens': 'MessageCountTokensParams',
};

/** The versions of the API, each with the SDK that sends it. */
const SDKS: Readonly<Record<string, string>> = {
  '2023-06-01': 'anthropic-sdk-0',
  '2026-10-21': '@anthropic-ai/sdk',
};

/** Anthropic's messages: its SDKs' types, and what they don't say. */
export class AnthropicRules implements VendorRules {
  private readonly types = new Map<string, VendorTypes>();

  refuse({ path, headers, body }: VendorCall): Refusal | null {
    const type = BODY_TYPES[path];
    if (type === undefined) return refusal('Not Found', 404);
    if (!headers['x-api-key']) return refusal('x-api-key header is required', 401);
    const version = headers['anthropic-version'];
    if (typeof version !== 'string') return refusal('anthropic-version: header is required');
    const sdk = SDKS[version];
    if (sdk === undefined) return refusal(`anthropic-version: "${version}" is not a valid version.`);
    const isBeta = headers['anthropic-beta'] !== undefined;
    const file = `${sdk}/resources/${isBeta ? 'beta/' : ''}messages/messages.d.ts`;
    const fault = firstFault(this.typesOf(file).faultsOf(body, type));
    const message = fault
      ? messageOf(fault)
      : (parameterProblem(body) ??
        contentProblem(body) ??
        toolProblem(body) ??
        signatureProblem(body) ??
        formatProblem(body));
    return message === null ? null : refusal(message);
  }

  /** Read when they are needed: it takes a second. */
  private typesOf(file: string): VendorTypes {
    const types = this.types.get(file) ?? new VendorTypes(file);
    this.types.set(file, types);
    return types;
  }

  errorBody({ message, status }: Refusal): object {
    const type = { 401: 'authentication_error', 404: 'not_found_error' }[status] ?? 'invalid_request_error';
    return { type: 'error', error: { type, message }, request_id: 'req_recorder' };
  }
}

function messageOf({ path, problem, expected, given }: Fault): string {
  const name = path.join('.');
  if (problem === 'missing') return `${name}: Field required`;
  if (problem === 'unknown') return `${name}: Extra inputs are not permitted`;
  if (problem === 'value' && path.at(-1) === 'type')
    return `${path.slice(0, -1).join('.')}: Input tag '${String(given)}' found using 'type' does not match any of the expected tags: ${expected.join(', ')}`;
  if (problem === 'value') return `${name}: Input should be ${expected.join(' or ')}`;
  return `${name}: Input should be a valid ${expected.join(' or ')}`;
}

function parameterProblem(body: Body): string | null {
  const { max_tokens: limit, temperature, top_p: topP, thinking, tools, tool_choice: choice } = body;
  if (typeof limit === 'number' && limit < 1) return 'max_tokens: must be greater than or equal to 1';
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1))
    return 'temperature: range: 0..1';
  if (typeof topP === 'number' && (topP < 0 || topP > 1)) return 'top_p: range: 0..1';
  if (choice != null && listOf(tools).length === 0)
    return 'tool_choice: tool_choice may only be specified while providing tools.';
  const { type, budget_tokens: budget } = (thinking ?? {}) as Body;
  if (type === 'enabled') {
    if (Number(budget) < 1024)
      return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
    if (typeof limit === 'number' && Number(budget) >= limit)
      return '`max_tokens` must be greater than `thinking.budget_tokens`.';
    if (temperature != null && temperature !== 1)
      return '`temperature` may only be set to 1 when thinking is enabled.';
    const forced = (choice as Body | null | undefined)?.type;
    if (forced === 'any' || forced === 'tool')
      return 'Thinking may not be enabled when tool_choice forces tool use.';
  }
  const names = listOf(tools).map(({ name }) => name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const misnamed = names.findIndex((name) => typeof name === 'string' && !/^[\w-]{1,128}$/.test(name));
  return misnamed === -1
    ? null
    : `tools.${String(misnamed)}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
}

const blocksOf = ({ content }: Body): readonly Body[] => (Array.isArray(content) ? listOf(content) : []);

function contentProblem({ messages, system }: Body): string | null {
  const turns = listOf(messages);
  if (turns.length === 0) return 'messages: at least one message is required';
  if (turns[0]?.role === 'assistant') return 'messages: first message must use the "user" role';
  if (Array.isArray(system) && listOf(system).some(({ text }) => text === ''))
    return 'system: text content blocks must be non-empty';
  for (const [at, turn] of turns.entries()) {
    const isLast = at === turns.length - 1;
    const isEmpty = turn.content === '' || (Array.isArray(turn.content) && turn.content.length === 0);
    if (isEmpty && !(isLast && turn.role === 'assistant'))
      return `messages.${String(at)}: all messages must have non-empty content except for the optional final assistant message`;
    if (blocksOf(turn).some(({ type, text }) => type === 'text' && text === ''))
      return 'messages: text content blocks must be non-empty';
    if (isLast && turn.role === 'assistant' && /\s$/.test(lastTextOf(turn)))
      return 'messages: final assistant content cannot end with trailing whitespace';
  }
  return null;
}

function lastTextOf(turn: Body): string {
  const text = typeof turn.content === 'string' ? turn.content : blocksOf(turn).at(-1)?.text;
  return typeof text === 'string' ? text : '';
}

/** Turns of one role in a row count as one. */
function joinedTurns(messages: unknown): readonly { role: unknown; blocks: readonly Body[] }[] {
  const turns: { role: unknown; blocks: Body[] }[] = [];
  for (const message of listOf(messages)) {
    const last = turns.at(-1);
    if (last !== undefined && last.role === message.role) last.blocks.push(...blocksOf(message));
    else turns.push({ role: message.role, blocks: [...blocksOf(message)] });
  }
  return turns;
}

/** Every use of a tool needs its result in the next turn, and before anything else there. */
function toolProblem({ messages }: Body): string | null {
  const turns = joinedTurns(messages);
  for (const [at, { blocks }] of turns.entries()) {
    const used = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []));
    const malformed = used.find((id) => !/^[\w-]+$/.test(id));
    if (malformed !== undefined)
      return `messages.${String(at)}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    if (new Set(used).size < used.length) return `messages.${String(at)}: \`tool_use\` ids must be unique`;
    const answered = new Set(resultsOf(turns[at + 1]?.blocks));
    const left = used.filter((id) => !answered.has(id));
    if (left.length > 0)
      return `messages.${String(at)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${left.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const before = new Set(
      turns[at - 1]?.blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
    );
    const strange = resultsOf(blocks).find((id) => !before.has(id));
    if (strange !== undefined)
      return `messages.${String(at)}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${strange}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const isResult = blocks.map(({ type }) => type === 'tool_result');
    if (isResult.lastIndexOf(true) >= isResult.filter(Boolean).length)
      return `messages.${String(at)}: \`tool_result\` blocks must come before other content.`;
  }
  return null;
}

const resultsOf = (blocks: readonly Body[] = []) =>
  blocks.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [String(id)] : []));

/** A signature is base64, and nobody else can make one: https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
function signatureProblem({ messages }: Body): string | null {
  for (const [turn, message] of listOf(messages).entries())
    for (const [at, { type, signature }] of blocksOf(message).entries())
      if (type === 'thinking' && !/^[A-Za-z0-9+/]+={0,2}$/.test(String(signature)))
        return `messages.${String(turn)}.content.${String(at)}: Invalid \`signature\` in \`thinking\` block`;
  return null;
}

const REFUSED_KEYWORDS: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'patternProperties', 'oneOf', 'not'],
]);

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
function formatProblem({ output_config: config, tools }: Body): string | null {
  const { format } = (config ?? {}) as { format?: Body | null };
  const strict = listOf(tools).filter((tool) => tool.strict === true);
  for (const schema of [format?.schema, ...strict.map((tool) => tool.input_schema)]) {
    const problem = closedProblem(schema);
    if (problem !== null) return `output_config.format.schema: ${problem}`;
  }
  return null;
}

function closedProblem(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const { type, additionalProperties, properties, $defs, ...rest } = schema as Body;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isObject && additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  const keyword = Object.keys(rest).find((name) => REFUSED_KEYWORDS.has(name));
  if (keyword !== undefined) return `property '${keyword}' is not supported`;
  const inner = [properties, $defs].flatMap((named) => Object.values((named ?? {}) as Body));
  const nested = [
    ...inner,
    rest.items,
    ...[rest.anyOf, rest.allOf].flatMap((list) => (Array.isArray(list) ? list : [])),
  ];
  return nested.map(closedProblem).find((problem) => problem !== null) ?? null;
}
