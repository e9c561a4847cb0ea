import { type JsonRecord } from '../../json/byte-text';
import { type Losses, untranslatedFields } from '../loss';
import { listIn, recordIn, textIn } from '../untyped-json';
import { chatTools } from './messages-tools-to-chat';
import { isStrictSchema } from './strict-schema';
import { effortFor } from './thinking-to-effort';
import { type TranslationTarget } from './translation-target';
import { turnsToChatMessages } from './turns-to-chat-messages';

const carried: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'compat_mode', 'max_output_tokens', 'max_tokens'],
  ...['tools', 'tool_choice', 'temperature', 'top_p', 'stop_sequences', 'thinking', 'output_config'],
  ...['output_format', 'metadata', 'service_tier', 'stream'],
  // OpenAI's models cache prompts by default.
  'cache_control',
]);

const isDefault: Readonly<Record<string, (value: unknown) => boolean>> = {
  speed: (value) => value === 'standard',
  mcp_servers: (value) => listIn(value).length === 0,
};

const STOP_SEQUENCES_MAX = 4;
const USER_LENGTH_MAX = 128;

/** Translates the body of a messages call to one of a chat-completions call. */
export function messagesCallToChat(body: JsonRecord, target: TranslationTarget, losses: Losses): JsonRecord {
  const fields = { carried, isDefault, extra: target.extraParameters };
  const untranslated = untranslatedFields(body, fields, losses);
  return {
    model: target.upstreamModel,
    max_completion_tokens: outputLimit(target.maxOutputTokens, losses),
    messages: turnsToChatMessages(body, losses, target.reasoningFields),
    ...chatTools(body, losses),
    temperature: body['temperature'] ?? undefined,
    top_p: body['top_p'] ?? undefined,
    stop: stop(body['stop_sequences'], losses),
    reasoning_effort: effortFor(body, losses),
    response_format: responseFormat(body, losses),
    user: user(body['metadata'], losses),
    service_tier: serviceTier(body['service_tier'], losses),
    // Without usage a stream could not be priced (docs/reference/inference-and-compatibility.md#streaming).
    ...(body['stream'] === true && { stream: true, stream_options: { include_usage: true } }),
    // The caller's own setting takes the place of a translated one of the same name.
    ...untranslated,
  };
}

/** Anthropic takes 0, which fills its cache without generating an answer. */
function outputLimit(maxOutputTokens: number, losses: Losses): number {
  if (maxOutputTokens > 0) return maxOutputTokens;
  losses.change('max_tokens', 'The provider makes answers of at least one token.');
  return 1;
}

function stop(sequences: unknown, losses: Losses): readonly unknown[] | undefined {
  const taken = listIn(sequences);
  if (taken.length <= STOP_SEQUENCES_MAX) return taken.length > 0 ? taken : undefined;
  losses.change(
    'stop_sequences',
    `The provider takes ${String(STOP_SEQUENCES_MAX)} stop sequences; only the first ones were sent.`,
  );
  return taken.slice(0, STOP_SEQUENCES_MAX);
}

function responseFormat(body: JsonRecord, losses: Losses): JsonRecord | undefined {
  const isCurrent = (recordIn(body['output_config'])['format'] ?? null) !== null;
  const param = isCurrent ? 'output_config.format' : 'output_format';
  const { type, schema } = recordIn(
    isCurrent ? recordIn(body['output_config'])['format'] : body['output_format'],
  );
  if (type === undefined) return undefined;
  if (type !== 'json_schema') {
    losses.omit(param);
    return undefined;
  }
  const strict = isStrictSchema(schema);
  if (!strict) {
    losses.change(
      param,
      'The provider guarantees a schema only if each object lists all of its properties as required and allows no others.',
    );
  }
  return { type, json_schema: { name: 'answer', schema, strict } };
}

function user(metadata: unknown, losses: Losses): string | undefined {
  const id = textIn(recordIn(metadata)['user_id']);
  if (id.length > USER_LENGTH_MAX) {
    losses.omit('metadata.user_id');
    return undefined;
  }
  return id === '' ? undefined : id;
}

function serviceTier(tier: unknown, losses: Losses): string | undefined {
  if (tier === 'auto') return 'auto';
  if (tier === 'standard_only') return 'default';
  if (tier !== undefined && tier !== null) losses.omit('service_tier');
  return undefined;
}
