import { z } from 'zod';

/**
 * Fields that no endpoint may take as its own: the service handles them itself, or they choose a model, a provider, an
 * account or a price (docs/reference/models-and-catalog.md#parameters-of-open-models).
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'model',
    'messages',
    'system',
    'prompt',
    'input',
    'stream',
    'stream_options',
    'compat_mode',
    'svc',
    'warnings',
  ],
  // How much is generated, which the hold must cover.
  ...[
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
    'max_new_tokens',
    'max_length',
    'num_predict',
  ],
  ...['n', 'best_of', 'candidate_count', 'num_return_sequences'],
  // Who is billed, and at which price.
  ...['billing_policy', 'fallback_credit_token', 'service_tier', 'speed', 'inference_geo'],
  // References to data at the provider, in an account that organizations share.
  ...['thread', 'conversation', 'previous_response_id', 'background', 'user', 'metadata', 'user_profile_id'],
  ...['workspace_id', 'organization', 'project'],
  // Which model and provider answers, and how it is reached.
  ...[
    'models',
    'route',
    'router',
    'provider',
    'providers',
    'fallbacks',
    'fallback',
    'transforms',
    'plugins',
    'preset',
  ],
  ...['api_key', 'api_base', 'api_version', 'base_url', 'deployment_id', 'custom_llm_provider'],
  ...[
    'num_retries',
    'mock_response',
    'extra_body',
    'extra_headers',
    'extra_query',
    'callback_url',
    'webhook',
  ],
  // No ordinary name of an object's member.
  '__proto__',
]);

/** A catalog endpoint's list of parameters beyond those of its route. */
export const extraParameters = z
  .array(
    z
      .string('must be a text')
      .regex(/^[A-Za-z0-9_]{1,64}$/, 'must have 1 to 64 letters, digits or underscores')
      .refine((name) => !RESERVED.has(name), 'is a field that no endpoint may take as its own'),
    'must be a list',
  )
  .optional();
