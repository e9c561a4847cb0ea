import { type JsonRecord } from '../../json/byte-text';
import { type Losses, untranslatedFields } from '../loss';
import { listIn, recordIn, textIn } from '../untyped-json';
import { responseInputToChat } from './response-input-to-chat';
import { responsePath } from './response-paths';
import { responseToolsToChat } from './response-tools-to-chat';
import { type TranslationTarget } from './translation-target';

const carried: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'compat_mode', 'max_output_tokens', 'store'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning', 'include', 'top_logprobs'],
  ...['metadata', 'stream', 'stream_options'],
]);

/** Parameters that chat has under the same name, with the same meaning. */
const SHARED = [
  ...['temperature', 'top_p', 'user', 'safety_identifier', 'service_tier', 'moderation'],
  ...['prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
] as const;

const carriedOrShared: ReadonlySet<string> = new Set([...carried, ...SHARED]);

const isEmpty = (value: unknown): boolean => Object.keys(recordIn(value)).length === 0;

const isDefault: Readonly<Record<string, (value: unknown) => boolean>> = {
  background: (value) => value === false,
  truncation: (value) => value === 'disabled',
  context_management: (value) => listIn(value).length === 0,
  image: isEmpty,
  access_programs: isEmpty,
  // It changes nothing in the answer.
  client_metadata: () => true,
  // It limits calls of tools that translation leaves out.
  max_tool_calls: () => true,
};

interface ChatCall {
  readonly body: JsonRecord;
  /** The responses path of a path in `body`. */
  pathOf(chatPath: string): string;
}

/**
 * Translates the body of a responses call to one of a chat-completions call.
 * @param isFinal whether the provider speaks chat completions; else the result is translated on to messages
 */
export function responsesCallToChat(
  body: JsonRecord,
  target: TranslationTarget,
  losses: Losses,
  isFinal = true,
): ChatCall {
  const fields = { carried: carriedOrShared, isDefault, extra: target.extraParameters };
  const untranslated = untranslatedFields(body, fields, losses);
  if (body['store'] === true) losses.change('store', 'The service keeps no responses.');
  if (recordIn(body['stream_options'])['include_obfuscation'] === true) {
    losses.omit('stream_options.include_obfuscation');
  }
  const { reasoningFields } = target;
  const form = { mediaInResults: !isFinal, signedReasoning: !isFinal, reasoningFields };
  const { messages, origins } = responseInputToChat(body, form, losses);
  const tools = responseToolsToChat(body, losses);
  const chat = {
    model: target.upstreamModel,
    max_completion_tokens: target.maxOutputTokens,
    messages,
    ...tools.chat,
    ...sharedParameters(body),
    ...logprobs(body),
    reasoning_effort: effort(body['reasoning'], losses),
    response_format: responseFormat(body['text'], losses),
    verbosity: recordIn(body['text'])['verbosity'] ?? undefined,
    // Without usage a stream could not be priced (docs/reference/inference-and-compatibility.md#streaming).
    ...(body['stream'] === true && { stream: true, stream_options: { include_usage: true } }),
    // The caller's own setting takes the place of a translated one of the same name.
    ...untranslated,
  };
  const paths = {
    messages: origins,
    tools: tools.origins,
    logprobs: asksForLogprobs(body) ? 'include' : 'top_logprobs',
  };
  return { body: chat, pathOf: (path) => responsePath(path, paths) };
}

function sharedParameters(body: JsonRecord): JsonRecord {
  return Object.fromEntries(SHARED.map((name) => [name, body[name] ?? undefined]));
}

/** Either field asks for log probabilities. */
function logprobs(body: JsonRecord): JsonRecord {
  const { top_logprobs: top } = body;
  const count = typeof top === 'number' && top > 0 ? top : undefined;
  return asksForLogprobs(body) || count !== undefined ? { logprobs: true, top_logprobs: count } : {};
}

const asksForLogprobs = ({ include }: JsonRecord): boolean =>
  listIn(include).includes('message.output_text.logprobs');

/** A summary that no provider of chat completions writes to order. All of them give what reasoning they show. */
function effort(reasoning: unknown, losses: Losses): unknown {
  const { effort: asked, summary, generate_summary: earlier, context, mode } = recordIn(reasoning);
  for (const [name, value] of Object.entries({ summary, generate_summary: earlier })) {
    if (textIn(value) !== '' && value !== 'auto') losses.omit(`reasoning.${name}`);
  }
  if (textIn(context) !== '' && context !== 'auto') losses.omit('reasoning.context');
  if (textIn(mode) !== '' && mode !== 'standard') losses.omit('reasoning.mode');
  return asked ?? undefined;
}

function responseFormat(text: unknown, losses: Losses): JsonRecord | undefined {
  const { type, name, description, schema, strict } = recordIn(recordIn(text)['format']);
  switch (type) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return {
        type,
        json_schema: {
          name,
          description: description ?? undefined,
          schema,
          strict: strict ?? undefined,
        },
      };
    default:
      losses.omit('text.format');
      return undefined;
  }
}
