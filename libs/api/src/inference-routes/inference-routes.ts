import { type ErrorName } from '@svc/kernel';
import { z } from 'zod';
import { type ZodOpenApiOperationObject } from 'zod-openapi';
import { answerHeaders } from '../document/answer-headers';
import { jsonAnswer } from '../document/described-answers';
import { type DocumentedRoutes } from '../document/documented-routes';
import { errorAnswers, messagesForm } from '../document/error-answers';
import {
  chatCall,
  chatCompletion,
  countTokensCall,
  embeddingsAnswer,
  embeddingsCall,
  message,
  messagesCall,
  modelEntry,
  modelListing,
  response,
  responsesCall,
  tokenCount,
} from './inference-bodies';

const TAG = 'Inference';
const security = [{ apiKey: ['inference:invoke'] }];

const callHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'Unique to the call. A retry with the same key gets the same answer, and is not charged again.',
  }),
  'Compat-Project': z.string().optional().meta({
    description:
      'The project of the call, for a key of the whole organization. `X-Svc-Project` is a synonym.',
  }),
  'Compat-Organization': z
    .string()
    .optional()
    .meta({ description: 'Checked against the key; it selects nothing.' }),
  'Svc-Session-Id': z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'Names the caller’s session, for budgets per session.' }),
});

const limitHeaders = {
  'X-RateLimit-Limit': z
    .int()
    .optional()
    .meta({ description: 'Capacity of the bucket with the least headroom.' }),
  'X-RateLimit-Remaining': z
    .int()
    .optional()
    .meta({ description: 'What is left in this bucket after the call.' }),
  'X-RateLimit-Reset': z.int().optional().meta({ description: 'Seconds until this bucket is full again.' }),
  'X-RateLimit-Scope': z
    .enum(['key', 'org', 'project', 'end_user'])
    .optional()
    .meta({ description: 'Whose bucket it is.' }),
  'Svc-Budget-Warning': z.int().optional().meta({
    description:
      'Spend of the most consumed budget, this call included, in basis points. Sent from its `warn_at_bps` on.',
  }),
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .meta({ description: 'The answer is replayed from an earlier call.' }),
};

const callerErrors: readonly ErrorName[] = [
  'invalidApiKey',
  'invalidToken',
  'tokenRevoked',
  'permissionDenied',
  'insufficientScope',
];
const lookErrors: readonly ErrorName[] = [...callerErrors, 'unhandled'];

const callErrors: readonly ErrorName[] = [
  'invalidRequest',
  'unsupportedParameter',
  'providerRejected',
  ...callerErrors,
  'insufficientFunds',
  'budgetExceeded',
  'notFound',
  'idempotencyKeyReused',
  'idempotencyInProgress',
  'unsupportedContentEncoding',
  'capabilityUnsupported',
  'noEligibleRoute',
  'operationUnsupported',
  'rateLimit',
  'providerRateLimit',
  'unhandled',
  'providerError',
  'overloaded',
];

const DESCRIPTION_413 = '`invalid_request`: the body never has room in the memory of the service';
/** A prompt that is too large for the process, by the code and form of an invalid request. */
const bodyTooLarge = {
  '413': {
    ...errorAnswers(['invalidRequest'])['400'],
    id: 'bodyTooLarge',
    description: DESCRIPTION_413,
  },
};
const messageTooLarge = {
  '413': {
    ...errorAnswers(['invalidRequest'], messagesForm)['400'],
    id: 'messageTooLarge',
    description: DESCRIPTION_413,
  },
};

const streamed = (schema: z.ZodType, example: string) => ({
  description:
    'The answer. If `stream` is true, a stream of server-sent events, with `svc` in the last frames.',
  headers: z.object({ ...answerHeaders, ...limitHeaders }),
  content: {
    'application/json': { schema },
    'text/event-stream': { schema: z.string(), example },
  },
});

const chatCompletions: ZodOpenApiOperationObject = {
  operationId: 'createChatCompletion',
  tags: [TAG],
  summary: 'Calls a model in the format of OpenAI’s chat completions.',
  description:
    'Takes the fields of OpenAI’s request, and two of the service’s own. Any other is refused. With `compat_mode` ' +
    '`permissive`, a parameter that no eligible endpoint supports is dropped and listed in `warnings`. With ' +
    '`strict`, the call is refused.',
  security,
  requestParams: { header: callHeaders },
  requestBody: { required: true, content: { 'application/json': { schema: chatCall } } },
  responses: {
    '200': streamed(
      chatCompletion,
      'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n',
    ),
    ...errorAnswers(callErrors),
    ...bodyTooLarge,
  },
};

const messages: ZodOpenApiOperationObject = {
  operationId: 'createMessage',
  tags: [TAG],
  summary: 'Calls a model in the format of Anthropic’s messages.',
  description:
    'Takes the fields of Anthropic’s request, `compat_mode` and `max_output_tokens`. Any other is refused.',
  security,
  requestParams: { header: callHeaders },
  requestBody: { required: true, content: { 'application/json': { schema: messagesCall } } },
  responses: {
    '200': streamed(
      message,
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\n\n',
    ),
    ...errorAnswers(callErrors, messagesForm),
    ...messageTooLarge,
  },
};

const responses: ZodOpenApiOperationObject = {
  operationId: 'createResponse',
  tags: [TAG],
  summary: 'Calls a model in the format of OpenAI’s responses.',
  description:
    'Takes the fields of OpenAI’s request, and `compat_mode`. Any other is refused. The service keeps no responses: ' +
    'what refers to an earlier one is refused with `unsupported_parameter`, and `store: true` is dropped or refused ' +
    'as `compat_mode` says.',
  security,
  requestParams: { header: callHeaders },
  requestBody: { required: true, content: { 'application/json': { schema: responsesCall } } },
  responses: {
    '200': streamed(
      response,
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello"}\n\n',
    ),
    ...errorAnswers(callErrors),
    ...bodyTooLarge,
  },
};

const embeddings: ZodOpenApiOperationObject = {
  operationId: 'createEmbedding',
  tags: [TAG],
  summary: 'Turns texts into vectors, in the format of OpenAI’s embeddings.',
  description:
    'Takes the fields of OpenAI’s request, and `compat_mode`. Any other is refused. The price is that of the input’s ' +
    'tokens. The vectors pass through unchanged.',
  security,
  requestParams: { header: callHeaders },
  requestBody: { required: true, content: { 'application/json': { schema: embeddingsCall } } },
  responses: {
    '200': {
      ...jsonAnswer('The vectors.', embeddingsAnswer),
      headers: z.object({ ...answerHeaders, ...limitHeaders }),
    },
    ...errorAnswers(callErrors),
    ...bodyTooLarge,
  },
};

const countTokens: ZodOpenApiOperationObject = {
  operationId: 'countMessageTokens',
  tags: [TAG],
  summary: 'Counts the tokens of a prompt.',
  description: 'A count costs nothing, and takes nothing from a rate limit.',
  security,
  requestBody: { required: true, content: { 'application/json': { schema: countTokensCall } } },
  responses: {
    '200': jsonAnswer('The count.', tokenCount),
    ...errorAnswers(
      [
        'invalidRequest',
        'unsupportedParameter',
        ...lookErrors,
        'notFound',
        'unsupportedContentEncoding',
        'noEligibleRoute',
        'overloaded',
      ],
      messagesForm,
    ),
    ...messageTooLarge,
  },
};

const listModels: ZodOpenApiOperationObject = {
  operationId: 'listModels',
  tags: [TAG],
  summary: 'The models that the caller can call now.',
  security,
  responses: { '200': jsonAnswer('All of them, on one page.', modelListing), ...errorAnswers(lookErrors) },
};

const getModel: ZodOpenApiOperationObject = {
  operationId: 'getModel',
  tags: [TAG],
  summary: 'One model that the caller can call now.',
  security,
  requestParams: {
    path: z.object({
      model_id: z
        .string()
        .meta({ description: '`<creator>/<model>`, its slash encoded or not.', example: 'acme/small' }),
    }),
  },
  responses: { '200': jsonAnswer('The model.', modelEntry), ...errorAnswers([...lookErrors, 'notFound']) },
};

/** The document's descriptions of the routes that the edge serves. */
export const inferenceRoutes: DocumentedRoutes = {
  tags: [
    {
      name: TAG,
      description:
        'Calls of models, for the SDKs of OpenAI and Anthropic: only their base URL changes. `/v1/v1/…` is the same as ' +
        '`/v1/…`.',
    },
  ],
  paths: {
    '/v1/chat/completions': { post: chatCompletions },
    '/v1/messages': { post: messages },
    '/v1/messages/count_tokens': { post: countTokens },
    '/v1/responses': { post: responses },
    '/v1/embeddings': { post: embeddings },
    '/v1/models': { get: listModels },
    '/v1/models/{model_id}': { get: getModel },
  },
};
