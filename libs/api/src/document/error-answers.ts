import { errorCatalogue, type ErrorName } from '@svc/kernel';
import { z } from 'zod';
import { type ZodOpenApiResponseObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { errorHeaders, EXAMPLE_REQUEST_ID, retryHeaders } from './answer-headers';

const EXAMPLE_APPROVAL_REQUEST_ID = 'apr_06dpm2q4x8k3c0v9r7t5w1hzny';

const error = z.object({
  type: z.string().meta({ description: 'The kind of error.', example: 'invalid_request' }),
  message: z.string().meta({ description: 'For people.', example: 'name: Too small.' }),
  code: z.string().meta({ description: 'For programs.', example: 'invalid_request' }),
  param: z
    .string()
    .optional()
    .meta({ description: 'The field, header or bucket at fault, by its path.', example: 'name' }),
  approval_request_id: z
    .string()
    .optional()
    .meta({ description: 'The request that the change waits in.', example: EXAMPLE_APPROVAL_REQUEST_ID }),
  details: z
    .array(
      z.object({
        line: z.int().min(1).meta({ description: 'From 1.', example: 17 }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'The field; null for the whole line.', example: 'messages[2].role' }),
        message: z
          .string()
          .meta({ description: 'For people.', example: 'messages[2].role must be one of user' }),
      }),
    )
    .optional()
    .meta({ description: 'The lines of a refused file, at most 20 of them.' }),
  request_id: z.string().meta({ description: 'As `X-Request-Id`.', example: EXAMPLE_REQUEST_ID }),
  retriable: z
    .boolean()
    .meta({ description: 'Whether the same call may succeed later without being changed.' }),
});

/** The form of a route's errors. */
interface ErrorForm {
  /** Distinguishes forms in the names of components; empty for the usual form. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** Makes the body from the usual envelope. */
  readonly wrap: (envelope: object) => object;
}

const usualForm: ErrorForm = {
  name: '',
  schema: z.object({ error }).meta({ id: 'Error', description: 'The answer to every failed call.' }),
  wrap: (envelope) => envelope,
};

/** On the messages route, where Anthropic's SDKs read more (docs/reference/errors.md, The envelope). */
export const messagesForm: ErrorForm = {
  name: 'messages',
  schema: z
    .object({ type: z.literal('error'), error, request_id: z.string().meta({ example: EXAMPLE_REQUEST_ID }) })
    .meta({
      id: 'MessagesError',
      description: 'The error of the other routes, in the form that Anthropic’s SDKs read.',
    }),
  wrap: (envelope) => ({ type: 'error', ...envelope, request_id: EXAMPLE_REQUEST_ID }),
};

const answers = new Map<string, ZodOpenApiResponseObject>();

/** The error answers of a route: one answer per status, with one example per code. */
export function errorAnswers(names: readonly ErrorName[], form = usualForm): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(new Set(names), (name) => errorCatalogue[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [String(status), answerOf(status, ofStatus, form)]),
  );
}

/** Returns the same object for the same errors, so that the document writes it once and refers to it. */
function answerOf(status: number, names: readonly ErrorName[], form: ErrorForm): ZodOpenApiResponseObject {
  const id = [form.name, ...names].filter(Boolean).join('-');
  const answer = answers.get(id) ?? {
    id,
    description: names.map(meaningOf).join('; '),
    headers: z.object(status === 429 ? retryHeaders : errorHeaders),
    content: { 'application/json': { schema: form.schema, examples: examplesOf(names, form) } },
  };
  answers.set(id, answer);
  return answer;
}

const meaningOf = (name: ErrorName): string =>
  `\`${errorCatalogue[name].code}\`: ${errorCatalogue[name].condition}`;

function examplesOf(names: readonly ErrorName[], { wrap }: ErrorForm) {
  return Object.fromEntries(names.map((name) => [name, { value: wrap({ error: exampleOf(name) }) }]));
}

function exampleOf(name: ErrorName): object {
  const { type, code, retriable, condition } = errorCatalogue[name];
  const said = messages[name] ?? { message: `${condition.charAt(0).toUpperCase()}${condition.slice(1)}.` };
  return { type, code, ...said, request_id: EXAMPLE_REQUEST_ID, retriable };
}

/** The service's messages, where an error has only one. */
const messages: Partial<
  Record<
    ErrorName,
    { readonly message: string; readonly param?: string; readonly approval_request_id?: string }
  >
> = {
  approvalRequired: {
    message: 'An approval policy gates this change: it waits for approval, and nothing has changed yet.',
    approval_request_id: EXAMPLE_APPROVAL_REQUEST_ID,
  },
  invalidRequest: { message: 'Unknown field: colour.', param: 'colour' },
  invalidApiKey: { message: 'The API key is missing or not valid.' },
  invalidToken: { message: 'The access token is expired or not valid.' },
  tokenRevoked: { message: 'The access token is revoked.' },
  permissionDenied: { message: 'This needs the permission org:write.' },
  insufficientScope: { message: 'No OAuth scope opens this route.' },
  notFound: { message: 'There is no such resource.' },
  preconditionFailed: {
    message: 'The current version is 4: read it, and change that one.',
    param: 'If-Match',
  },
  unsupportedContentEncoding: {
    message: 'The body has a Content-Encoding, which is not supported. Send it uncompressed.',
    param: 'Content-Encoding',
  },
  rateLimit: { message: 'Too many requests: try again in 2 seconds.', param: 'requests' },
  unhandled: { message: 'The service failed unexpectedly. Please retry.' },
};
