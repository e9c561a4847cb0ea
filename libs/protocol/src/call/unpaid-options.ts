import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Loss } from '../translation/loss';
import { type Operation } from './operation';
import { changedParts, isPathOfTool, somePart } from '../translation/prompt-parts';

/**
 * Options of a call that its tokens do not pay for. It goes out on the organization's own credential
 * only (docs/reference/inference-and-compatibility.md#what-tokens-do-not-pay-for).
 */
export interface UnpaidOptions {
  /** In the caller's paths. */
  readonly losses: readonly Loss[];
  /** Fields, and members of fields (`cache_control.ttl`), to leave out. */
  readonly omit: readonly string[];
  /** True where more is to be left out of the messages and tools: see {@link paidParts}. */
  readonly hasParts: boolean;
}

const NOTHING: UnpaidOptions = { losses: [], omit: [], hasParts: false };

/** True for a value that the tokens pay for, false for one that they do not; or the members of it that they do not. */
type Rule = (value: unknown) => boolean | readonly string[];

const always: Rule = () => true;
const listed =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.includes(value);
const isEmptyList: Rule = (value) => Array.isArray(value) && value.length === 0;
/** A tier that is not plain has prices of its own. */
const plainTier = listed('auto', 'default', 'standard', 'standard_only');
const textOnly: Rule = (value) => Array.isArray(value) && value.every((modality) => modality === 'text');
const cacheFor =
  (...times: readonly string[]): Rule =>
  (value) =>
    isShort(value, times) || ['ttl'];

const all = (...names: readonly string[]): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.map((name) => [name, always]));

const shared = {
  ...all('model', 'compat_mode', 'max_output_tokens', 'metadata', 'stream', 'temperature', 'top_p'),
  ...all('tools', 'tool_choice'),
  service_tier: plainTier,
};

const openAi = {
  ...shared,
  ...all('moderation', 'parallel_tool_calls', 'prompt_cache_key', 'safety_identifier', 'store'),
  ...all('stream_options', 'top_logprobs', 'user'),
  // OpenAI's least time, at the price of any cache.
  prompt_cache_options: cacheFor('5m', '30m'),
  prompt_cache_retention: listed('in_memory', 'in-memory'),
};

/**
 * The fields of each route that the tokens of a call pay for: a field that is missing here is billed for in another
 * way, or nobody knows how. `speed` and an advisor among `tools` have prices of their own (see `pricedFeaturesOf`).
 */
const paid: Readonly<Record<Operation, Readonly<Record<string, Rule>>>> = {
  chat_completions: {
    ...openAi,
    ...all('messages', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs'),
    ...all('max_completion_tokens', 'max_tokens', 'n', 'prediction', 'presence_penalty'),
    ...all('reasoning_effort', 'response_format', 'seed', 'stop', 'verbosity'),
    modalities: textOnly,
  },
  messages: {
    ...shared,
    ...all('messages', 'max_tokens', 'compaction', 'context_management', 'diagnostics', 'output_config'),
    ...all('output_format', 'stop_sequences', 'system', 'thinking', 'top_k'),
    cache_control: cacheFor('5m'),
    inference_geo: listed('global'),
    mcp_servers: isEmptyList,
    speed: listed('standard', 'fast'),
  },
  responses: {
    ...openAi,
    ...all('input', 'instructions', 'access_programs', 'background', 'client_metadata', 'conversation'),
    ...all('context_management', 'image', 'include', 'max_tool_calls', 'previous_response_id', 'prompt'),
    ...all('reasoning', 'text', 'truncation'),
  },
  embeddings: all('model', 'compat_mode', 'input', 'dimensions', 'encoding_format', 'user'),
};

/**
 * @param extra fields that the route does not have; the catalog answers for them
 * @param mayHaveParts see `hasUnusualParts`
 */
export function unpaidOptions(
  operation: Operation,
  body: JsonRecord,
  extra: readonly string[],
  mayHaveParts = true,
): UnpaidOptions {
  const omit: string[] = [];
  const rules = paid[operation];
  for (const field of Object.keys(body)) {
    const value = body[field];
    if (value === null || extra.includes(field)) continue;
    const verdict = rules[field]?.(value) ?? false;
    if (verdict === true) continue;
    if (verdict === false) omit.push(field);
    else for (const member of verdict) omit.push(`${field}.${member}`);
  }
  const hasParts = mayHaveParts && hasUnpaidParts(operation, body);
  if (omit.length === 0 && !hasParts) return NOTHING;
  const losses = omit.map(unpaid);
  if (hasParts) paidParts(operation, body, (param) => losses.push(unpaid(param)));
  return { losses: losses.slice(0, LISTED_MAX), omit, hasParts };
}

/** A bound, because a crafted body could have millions. */
const LISTED_MAX = 100;

/** The warning about an option that is left out. */
export const unpaid = (param: string): Loss => ({
  param,
  message: `The provider bills \`${param}\` beside the tokens of a call; it was left out. It is sent on your own provider credential.`,
});

/** True where the caller defines what a tool takes. Some providers take a definition without its type. */
const isDefined = ({ type, name, function: definition }: JsonRecord): boolean =>
  type === 'function' ||
  type === 'custom' ||
  ((type ?? null) === null && (typeof name === 'string' || isRecord(definition)));

/** Tools of chat completions and messages that the caller runs. A provider of responses is asked for those of its list. */
const callersTools: Readonly<Partial<Record<Operation, (tool: JsonRecord) => boolean>>> = {
  chat_completions: isDefined,
  messages: (tool) => {
    const { type } = tool;
    return (
      isDefined(tool) || (typeof type === 'string' && (CLIENT_TOOL.test(type) || PRICED_TOOL.test(type)))
    );
  },
};

/** Such a tool has a price of its own, or its call is refused (`pricedFeaturesOf`). */
const PRICED_TOOL = /^advisor_/;
/** Anthropic's tools that the caller runs, by their versions. It runs those of every other type itself. */
const CLIENT_TOOL = /^(?:bash|text_editor|computer|computer_toolset|browser|memory)_\d{8}$/;

/** A cache for longer than the five minutes that `cache_write` is the price of. */
const hasLongCache = (control: unknown): boolean => !isShort(control, ['5m']);

const isShort = (cache: unknown, times: readonly unknown[]): boolean =>
  !isRecord(cache) || (cache['ttl'] ?? null) === null || times.includes(cache['ttl']);

/** Speech has token prices of its own. */
const isAudio = ({ type }: JsonRecord): boolean => type === 'input_audio';

function hasUnpaidParts(operation: Operation, body: JsonRecord): boolean {
  if (somePart(body, (part) => isAudio(part) || hasLongCache(part['cache_control']))) return true;
  const { tools } = body;
  const isCallers = callersTools[operation];
  return (
    isCallers !== undefined &&
    Array.isArray(tools) &&
    !tools.every((tool) => !isRecord(tool) || isCallers(tool))
  );
}

/**
 * The changed members of a body whose messages and tools are without what its tokens do not pay for: tools that the provider
 * runs, the choice of one of them, speech, and long times of a cache.
 * @param tell gets the caller's path of everything that is left out
 */
export function paidParts(operation: Operation, body: JsonRecord, tell: (param: string) => void): JsonRecord {
  const isCallers = callersTools[operation] ?? (() => true);
  const removed: JsonRecord[] = [];
  const changed = changedParts(body, (part, path) => {
    if (isPathOfTool(path) && !isCallers(part)) {
      tell(path);
      removed.push(part);
      return null;
    }
    if (isAudio(part)) {
      tell(path);
      return null;
    }
    if (!hasLongCache(part['cache_control'])) return part;
    tell(`${path}.cache_control.ttl`);
    const { ttl: _ttl, ...control } = part['cache_control'] as JsonRecord;
    return { ...part, cache_control: control };
  });
  if (removed.length === 0) return changed;
  return { ...changed, ...withoutTools(changed['tools'], body['tool_choice'], removed, tell) };
}

/** The body after the removal of some tools: no empty list, no choice of what is gone, no tool that only a search would load. */
function withoutTools(
  left: unknown,
  choice: unknown,
  removed: readonly JsonRecord[],
  tell: (param: string) => void,
): JsonRecord {
  const tools = Array.isArray(left) ? (left as readonly unknown[]) : [];
  const isSearchGone = removed.some(({ type }) => String(type).startsWith('tool_search_'));
  const sent = isSearchGone ? tools.map(loadedAtOnce) : tools;
  const named = isRecord(choice) ? (choice['name'] ?? choice['type']) : choice;
  const isGone = removed.some(({ name, type }) => [name, type].includes(named));
  if (tools.length > 0 && !isGone) return { tools: sent };
  if (!['auto', 'none', undefined, null].includes(named as string)) tell('tool_choice');
  // OpenAI takes neither without tools.
  if (tools.length === 0) return { tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined };
  return { tools: sent, tool_choice: undefined };
}

function loadedAtOnce(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { defer_loading: _deferred, ...loaded } = tool;
  return loaded;
}
