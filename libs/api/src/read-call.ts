import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { GatewayError, isId, type Page } from '@svc/kernel';
import { callerOf } from './callers/caller-guard';
import { LIMIT_MAX, readCursor } from './page';
import { ORGANIZATION_PARAM } from './organization-param';
import { withObjects } from './query-objects';
import { routeOf, type DeclaredRoute } from './route';
import { requireDigits, validated } from './validation';

/** The one argument of every route's method, a {@link Call}: the caller, and the validated input. */
export const ReadCall = createParamDecorator((_: undefined, context: ExecutionContext) => {
  const route = routeOf(context.getHandler());
  if (route === undefined) throw new Error('A route without a declaration cannot read its call');
  const http = context.switchToHttp().getRequest<FastifyRequest>();
  const ids = readIds(route, http.params as Record<string, string>);
  const { page, query } = readQuery(route, http.query);
  // An action without a body gets no fields. A replacement without one would wipe everything, so it is refused.
  const withoutBody = route.verb === 'replace' ? undefined : {};
  const body = route.body === null ? undefined : validated(route.body, http.body ?? withoutBody);
  return { caller: callerOf(http), ids, query, page, body, headers: readHeaders(route, http) };
});

/** Worded alike for a resource that never existed and for another organization's. */
export const unknownResource = (): GatewayError => new GatewayError('notFound', 'There is no such resource.');

function readIds({ ids = {} }: DeclaredRoute, params: Record<string, string>): Record<string, string> {
  const { [ORGANIZATION_PARAM]: _organization, ...given } = params;
  for (const [name, kind] of Object.entries(ids)) {
    if (kind !== 'model' && !isId(kind, params[name] ?? '')) throw unknownResource();
  }
  return given;
}

function readHeaders({ headers }: DeclaredRoute, http: FastifyRequest): object {
  const given = Object.keys(headers.shape).map((name) => [name, http.headers[name.toLowerCase()]]);
  return validated(headers, Object.fromEntries(given));
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
