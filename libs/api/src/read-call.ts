import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type CallInput } from '@svc/approvals';
import { GatewayError, isId, type JsonValue, type Page } from '@svc/kernel';
import { gatedCallOf } from './gated-calls/gated-call-of';
import { type Caller } from './caller';
import { callerOf } from './callers/caller-guard';
import { isModelName } from './model-param';
import { LIMIT_MAX, readCursor } from './page';
import { ORGANIZATION_PARAM } from './organization-param';
import { withObjects } from './query-objects';
import { resourceOf } from './resource';
import { routeOf, type DeclaredRoute } from './route';
import { requireDigits, validated } from './validation';

/** The one argument of every route's method, a {@link Call}: the caller, and the validated input. */
export const ReadCall = createParamDecorator((_: undefined, context: ExecutionContext) => {
  const route = routeOf(context.getHandler());
  const resource = resourceOf(context.getClass());
  if (route === undefined || resource === undefined) {
    throw new Error('A route without a declaration cannot read its call');
  }
  const http = context.switchToHttp().getRequest<FastifyRequest>();
  const caller = callerOf(http);
  // A body of JSON's `null` is not the same as none.
  if (route.body !== null && http.body === null) validated(route.body, null);
  const input = inputOf(route, http);
  const read = readCall(route, input, caller);
  if (route.approval === undefined) return read;
  return { ...read, caller: { ...caller, call: gatedCallOf(resource, route, http, input) } };
});

/**
 * A call with its input validated: as it came, or made again after its approval.
 * @throws GatewayError `invalidRequest`; `notFound` for an id of another kind.
 */
export function readCall(route: DeclaredRoute, input: CallInput, caller: Caller) {
  const ids = readIds(route, input.params);
  const { page, query } = readQuery(route, input.query);
  // A call without a body has no fields. A replacement without one would wipe everything, so it is refused.
  const withoutBody = route.verb === 'replace' ? undefined : {};
  const body = route.body === null ? undefined : validated(route.body, input.body ?? withoutBody);
  return { caller, ids, query, page, body, headers: validated(route.headers, input.headers) };
}

const inputOf = ({ headers }: DeclaredRoute, http: FastifyRequest): CallInput => ({
  params: http.params as Record<string, string>,
  query: http.query as CallInput['query'],
  headers: Object.fromEntries(
    Object.keys(headers.shape).map((name) => [name, http.headers[name.toLowerCase()]]),
  ) as Record<string, string>,
  body: (http.body ?? null) as JsonValue,
});

/** Worded alike for a resource that never existed and for another organization's. */
export const unknownResource = (): GatewayError => new GatewayError('notFound', 'There is no such resource.');

/** @throws GatewayError `notFound` where there is none. */
export function known<Resource>(found: Resource | null): Resource {
  if (found === null) throw unknownResource();
  return found;
}

function readIds({ ids = {} }: DeclaredRoute, params: CallInput['params']): Record<string, string> {
  const { [ORGANIZATION_PARAM]: _organization, ...given } = params;
  for (const [name, kind] of Object.entries(ids)) {
    const value = params[name] ?? '';
    if (!(kind === 'model' ? isModelName(value) : isId(kind, value))) throw unknownResource();
  }
  return given;
}

const WHOLE: Page = { limit: Number.MAX_SAFE_INTEGER, before: null };

function readQuery(route: DeclaredRoute, sent: unknown): { page: Page; query: object } {
  const given = withObjects(route.query, sent as object);
  requireDigits(route.query, given);
  const query: Record<string, unknown> = validated(route.query, given);
  if (route.cursor === null) return { page: WHOLE, query };
  const { limit, cursor, ...filters } = query;
  const before = readCursor(cursor as string | undefined, route.cursor);
  const isOfIds = filters['ids'] !== undefined && given['limit'] === undefined;
  return { page: { limit: isOfIds ? LIMIT_MAX : (limit as number), before }, query: filters };
}
