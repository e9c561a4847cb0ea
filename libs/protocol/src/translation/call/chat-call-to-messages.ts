import { type JsonRecord } from '../../json/byte-text';
import { closedMessage, closedSchema } from '../closed-schema';
import { NOTHING_SAID, SAID_NOTHING, SYSTEM_ALONE } from '../conversation';
import { type Losses, untranslatedFields } from '../loss';
import { listIn, recordIn } from '../untyped-json';
import { chatMessagesToTurns, type Conversation, type Turn } from './chat-messages-to-turns';
import { isForced, messageTools } from './chat-tools-to-messages';
import { thinkingFor } from './effort-to-thinking';
import { type TranslationTarget } from './translation-target';

const carried: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'compat_mode', 'max_output_tokens', 'max_completion_tokens', 'max_tokens'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
  ...['temperature', 'top_p', 'stop', 'reasoning_effort', 'response_format', 'service_tier'],
  ...['user', 'safety_identifier', 'metadata', 'stream', 'stream_options'],
]);

const isZero = (value: unknown): boolean => value === 0;
const isFalse = (value: unknown): boolean => value === false;
const isEmpty = (value: unknown): boolean => Object.keys(recordIn(value)).length === 0;

const isDefault: Readonly<Record<string, (value: unknown) => boolean>> = {
  frequency_penalty: isZero,
  presence_penalty: isZero,
  top_logprobs: isZero,
  logprobs: isFalse,
  store: isFalse,
  logit_bias: isEmpty,
  n: (value) => value === 1,
  verbosity: (value) => value === 'medium',
  modalities: (value) => listIn(value).every((modality) => modality === 'text'),
};

const TEMPERATURE_MAX = 1;

/** Translates the body of a chat-completions call to one of a messages call. */
export function chatCallToMessages(body: JsonRecord, target: TranslationTarget, losses: Losses): JsonRecord {
  const fields = { carried, isDefault, extra: target.extraParameters };
  const untranslated = untranslatedFields(body, fields, losses);
  if (recordIn(body['stream_options'])['include_obfuscation'] === true) {
    losses.omit('stream_options.include_obfuscation');
  }
  const { system, turns } = answerable(chatMessagesToTurns(body['messages'], losses), losses);
  const tools = messageTools(body, losses);
  const obstacles = { isToolForced: isForced(tools), isLoopWithoutThinking: isLoopWithoutThinking(turns) };
  const { thinking, effort } = thinkingFor(body['reasoning_effort'], target, obstacles, losses);
  const format = outputFormat(body['response_format'], losses);
  const userId = body['safety_identifier'] ?? body['user'];
  const isThinking = thinking !== undefined && thinking['type'] !== 'disabled';
  return {
    model: target.upstreamModel,
    max_tokens: target.maxOutputTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    ...tools,
    ...sampling(body, isThinking, losses),
    stop_sequences: stopSequences(body['stop'], losses),
    thinking,
    ...((format ?? effort) !== undefined && { output_config: { effort, format } }),
    ...(typeof userId === 'string' && { metadata: { user_id: userId } }),
    service_tier: serviceTier(body['service_tier'], losses),
    ...(body['stream'] === true && { stream: true }),
    // The caller's own setting takes the place of a translated one of the same name.
    ...untranslated,
  };
}

/**
 * A conversation that Anthropic takes: it answers neither a system prompt alone nor a conversation that says nothing, as OpenAI
 * does. Empty texts are left out before, because it refuses them too.
 */
function answerable(conversation: Conversation, losses: Losses): Conversation {
  const { system, turns } = conversation;
  if (turns.length > 0) return conversation;
  const isSaid = system.length > 0;
  losses.change('messages', isSaid ? SYSTEM_ALONE : NOTHING_SAID);
  const content = isSaid ? [...system] : [{ type: 'text', text: SAID_NOTHING }];
  return { system: [], turns: [{ role: 'user', content }] };
}

function isLoopWithoutThinking(turns: readonly Turn[]): boolean {
  const [calling, resulting] = turns.slice(-2);
  const isLoop = resulting?.content.some(({ type }) => type === 'tool_result') === true;
  return isLoop && !['thinking', 'redacted_thinking'].includes(String(calling?.content[0]?.['type']));
}

function sampling(body: JsonRecord, isThinking: boolean, losses: Losses): JsonRecord {
  const temperature = numberIn(body['temperature']);
  const topP = numberIn(body['top_p']);
  if (isThinking) {
    // With thinking, Anthropic refuses both except for their defaults.
    if (temperature !== undefined && temperature !== 1) losses.omit('temperature');
    if (topP !== undefined && topP !== 1) losses.omit('top_p');
    return {};
  }
  if (temperature === undefined || temperature <= TEMPERATURE_MAX) return { temperature, top_p: topP };
  losses.change('temperature', 'The provider takes a `temperature` from 0 to 1; the call was made with 1.');
  return { temperature: TEMPERATURE_MAX, top_p: topP };
}

/** Anthropic refuses stop sequences of white space only. */
function stopSequences(stop: unknown, losses: Losses): readonly string[] | undefined {
  const sequences = (typeof stop === 'string' ? [stop] : listIn(stop)).map(String);
  const taken = sequences.filter((sequence) => sequence.trim() !== '');
  if (taken.length < sequences.length) {
    losses.change('stop', 'The provider takes no stop sequence of white space only; it was left out.');
  }
  return taken.length > 0 ? taken : undefined;
}

function outputFormat(responseFormat: unknown, losses: Losses): JsonRecord | undefined {
  const { type, json_schema: jsonSchema } = recordIn(responseFormat);
  if (type === undefined || type === 'text') return undefined;
  const { schema, description } = recordIn(jsonSchema);
  if (type !== 'json_schema' || (schema ?? null) === null) {
    // Anthropic's only format is a schema, and it takes no schema that allows any object.
    losses.omit('response_format');
    return undefined;
  }
  const { schema: closed, refused } = closedSchema(
    typeof description === 'string' ? { description, ...recordIn(schema) } : schema,
  );
  if (refused.length > 0) losses.change('response_format', closedMessage(refused));
  return { type: 'json_schema', schema: closed };
}

function serviceTier(tier: unknown, losses: Losses): string | undefined {
  if (tier === 'auto') return 'auto';
  if (tier === 'default') return 'standard_only';
  if (tier !== undefined && tier !== null) losses.omit('service_tier');
  return undefined;
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
