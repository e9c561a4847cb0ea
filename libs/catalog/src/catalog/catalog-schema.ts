import { type ChatForm, OPERATIONS } from '@svc/protocol';
import { z } from 'zod';

import { pricePerToken } from '../pricing/prices';
import { readBaseUrl } from './base-url';
import { credentialEnv } from './env-credentials';
import { extraParameters } from './extra-parameters';
import { type CatalogEnvironment } from './fill-variables';
import { connectionFields, reportCredentialHeader } from './provider-connection';

const positive = z.int('must be a whole number').positive('must be above 0');
const MAPPING = 'must be a mapping';
const text = z.string('must be a text').min(1, 'must not be empty');

const price = z.number('must be a number of nano-dollars per token').transform((nanosPerToken, check) => {
  const femtos = pricePerToken(nanosPerToken);
  if (femtos !== null) return femtos;
  check.addIssue({ code: 'custom', message: 'must be at least 0 with at most 6 decimals' });
  return z.NEVER;
});

const rates = { input: price, output: price, cached_input: price.optional(), cache_write: price.optional() };

const prices = z.strictObject(
  { ...rates, long_prompt: z.strictObject({ above: positive, ...rates }, MAPPING).optional() },
  MAPPING,
);

/** Visible ASCII without a comma. */
const BETA_NAME = /^[!-+\--~]{1,100}$/;

const PARAMETER_PATH = /^[a-z_]{1,64}(?:\.[a-z_]{1,64})?$/;

/** Values of parameters, by their paths in the provider's protocol. */
const takes = z
  .record(
    z.string(),
    z.array(
      z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false'),
      'must be a list',
    ),
    MAPPING,
  )
  .superRefine((values, check) => {
    for (const path of Object.keys(values)) {
      if (!PARAMETER_PATH.test(path))
        check.addIssue({ code: 'custom', path: [path], message: 'must be a parameter' });
    }
  });

/** Parts of chat messages that a provider takes. */
const chatMessages = z
  .strictObject(
    {
      members: z.array(text, 'must be a list').optional(),
      developer_role: z.boolean('must be true or false').default(true),
      call_id_length: z
        .int('must be a whole number')
        .min(8, 'must be from 8 to 40')
        .max(40, 'must be from 8 to 40')
        .optional(),
      reasoning_of_calls: text.optional(),
      strict_tool_names: z.boolean('must be true or false').default(false),
      empty_text: z.boolean('must be true or false').default(true),
      system_alone: z.boolean('must be true or false').default(true),
      strict_order: z.boolean('must be true or false').default(false),
    },
    MAPPING,
  )
  .transform((form): ChatForm => ({
    ...(form.members && { members: form.members }),
    developerRole: form.developer_role,
    ...(form.call_id_length !== undefined && { callIdLength: form.call_id_length }),
    ...(form.reasoning_of_calls !== undefined && { reasoningOfCalls: form.reasoning_of_calls }),
    strictToolNames: form.strict_tool_names,
    emptyText: form.empty_text,
    systemAlone: form.system_alone,
    strictOrder: form.strict_order,
  }));

const oneOf = z.array(z.array(text, 'must be a list').min(2, 'must name two parameters'), 'must be a list');

const betas = z
  .record(z.string(), z.strictObject({ prices, context_window: positive.optional() }, MAPPING), MAPPING)
  .superRefine((terms, check) => {
    for (const name of Object.keys(terms)) {
      if (!BETA_NAME.test(name)) check.addIssue({ code: 'custom', path: [name], message: 'must be a name' });
    }
  });

/**
 * Entries of the three lists of the file (docs/reference/models-and-catalog.md#the-catalog-file). Unknown fields are
 * refused.
 */
export const providerSchema = (env: CatalogEnvironment) =>
  z
    .strictObject(
      {
        name: text,
        protocol: z.enum(['openai', 'anthropic'], 'must be openai or anthropic'),
        base_url: text.transform((written, check) => {
          const baseUrl = readBaseUrl(written, env);
          if ('url' in baseUrl) return baseUrl.url;
          check.addIssue({ code: 'custom', message: baseUrl.problem });
          return z.NEVER;
        }),
        credential_env: credentialEnv(env).optional(),
        reasoning_fields: z.array(text, 'must be a list').optional(),
        chat_messages: chatMessages.optional(),
        takes: takes.optional(),
        ...connectionFields(env),
      },
      MAPPING,
    )
    .superRefine((provider, check) => {
      reportCredentialHeader(provider, (path, message) => {
        check.addIssue({ code: 'custom', path: [...path], message });
      });
    });

/** Tuned models of organizations have names of their own. */
const TUNED_NAME = /^ft-[a-z]{8}\//;

export const modelSchema = z.strictObject(
  {
    id: text
      .regex(/^[^/\s]+\/\S+$/, 'must have the form <creator>/<model>')
      .refine((id) => !TUNED_NAME.test(id), 'must not look like a tuned model'),
    display_name: text,
    context_window: positive,
    max_output_tokens: positive.optional(),
    created: z.iso.date('must be a date, YYYY-MM-DD').optional(),
  },
  MAPPING,
);

export const endpointSchema = z.strictObject(
  {
    model: text,
    provider: text,
    upstream_model: text,
    region: text,
    data_retention: z.enum(['zero', 'retained'], 'must be zero or retained'),
    operations: z
      .array(
        z.enum(OPERATIONS, `must be ${OPERATIONS.slice(0, -1).join(', ')} or ${String(OPERATIONS.at(-1))}`),
        'must be a list',
      )
      .min(1, 'must not be empty')
      .default(['chat_completions', 'messages']),
    parameters: z.array(text, 'must be a list').optional(),
    takes: takes.optional(),
    takes_one_of: oneOf.optional(),
    text_input_only: z.boolean('must be true or false').default(false),
    extra_parameters: extraParameters,
    built_in_tools: z.array(text, 'must be a list').optional(),
    usage: z.enum(['reported', 'estimated'], 'must be reported or estimated').default('reported'),
    prices,
    betas: betas.optional(),
    timeout_ms: z
      .strictObject({ first_byte: positive.default(60_000), idle: positive.default(60_000) }, MAPPING)
      .default({ first_byte: 60_000, idle: 60_000 }),
  },
  MAPPING,
);

const hardware = z.strictObject(
  {
    id: text,
    price_per_hour: z.int('must be whole nano-dollars').min(0),
    start_timeout_s: positive.default(1_800),
  },
  MAPPING,
);

export const fineTuningSchema = z.strictObject(
  {
    model: text,
    provider: text,
    upstream_model: text,
    region: text,
    data_retention: z.enum(['zero', 'retained'], 'must be zero or retained'),
    price_per_trained_token: price,
    max_trained_tokens: positive,
    epochs: z
      .strictObject({ default: positive, max: positive }, MAPPING)
      .refine((epochs) => epochs.default <= epochs.max, 'must have a default of at most max')
      .default({ default: 3, max: 10 }),
    inference: prices.optional(),
    hardware: z.array(hardware, 'must be a list').default([]),
  },
  MAPPING,
);

export type FineTuningEntry = z.output<typeof fineTuningSchema>;
export type ProviderEntry = z.output<ReturnType<typeof providerSchema>>;
export type ModelEntry = z.output<typeof modelSchema>;
export type EndpointEntry = z.output<typeof endpointSchema>;
export type PricesEntry = EndpointEntry['prices'];
