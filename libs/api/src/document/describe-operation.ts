import { type ErrorName } from '@svc/kernel';
import { z } from 'zod';
import { type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { type DeclaredRoute } from '../route';
import { versionTag } from '../version-tag';
import { answerHeaders } from './answer-headers';
import { errorAnswers } from './error-answers';
import { type Operation } from './operations';
import { parametersOf } from './parameters';
import { securityOf } from './security';

/** A declared route as an OpenAPI operation. */
export function describeOperation(operation: Operation): ZodOpenApiOperationObject {
  const { resource, route, operationId } = operation;
  return {
    operationId,
    tags: [resource.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route, resource.isOperators),
    requestParams: parametersOf(operation),
    ...(route.body === null ? {} : { requestBody: bodyOf(route, route.body) }),
    responses: { [String(route.status)]: answerOf(route), ...errorAnswers(errorsOf(operation)) },
    'x-permission': route.permission,
    'x-oauth-scope': route.scope,
    ...(route.approval === undefined ? {} : { 'x-approval-action': route.approval }),
  };
}

/** A body whose fields can all be left out can be left out itself (`readCall`). */
const bodyOf = ({ verb }: DeclaredRoute, schema: z.ZodType) => ({
  required: verb === 'replace' || !schema.safeParse({}).success,
  content: { 'application/json': { schema } },
});

function answerOf({ verb, answer, summary, versioned }: DeclaredRoute): ZodOpenApiResponseObject {
  const headers = z.object({ ...answerHeaders, ...(versioned === true ? { ETag: versionTag } : {}) });
  if (answer === null) return { description: 'Done.', headers };
  const schema = verb === 'list' ? listOf(answer) : answer;
  return { description: summary, headers, content: { 'application/json': { schema } } };
}

const listOf = (item: z.ZodType) =>
  z.object({
    data: z.array(item),
    has_more: z.boolean().meta({ example: false }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` for the next page.', example: null }),
  });

/** The errors that any such route can answer with, and those that the route declares. */
function errorsOf({ resource, route, path }: Operation): ErrorName[] {
  const callers: ErrorName[] = resource.isOperators
    ? ['invalidApiKey']
    : ['invalidApiKey', 'invalidToken', 'tokenRevoked', 'permissionDenied', 'insufficientScope'];
  // A route without an id in its path also answers 404, for another organization's id.
  const unknown: ErrorName[] = resource.isOperators && !path.includes('{') ? [] : ['notFound'];
  const compressed: ErrorName[] = route.body === null ? [] : ['unsupportedContentEncoding'];
  const waiting: ErrorName[] = route.approval === undefined ? [] : ['approvalRequired', 'conflict'];
  return [
    'invalidRequest',
    ...waiting,
    ...callers,
    ...unknown,
    ...compressed,
    ...(route.errors ?? []),
    'rateLimit',
    'unhandled',
  ];
}
