import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { letFinishSending } from '@svc/http';
import { type Caller } from '../caller';
import { ORGANIZATION_PARAM } from '../organization-param';
import { routeOf, type DeclaredRoute } from '../route';
import { CallerBuckets } from './caller-buckets';
import { Authentication } from './authentication';
import { type CallerIdentity } from './identity';

const callers = new WeakMap<object, Caller>();

/** The caller that a guard let through. */
export function callerOf(http: FastifyRequest): Caller {
  const caller = knownCallerOf(http);
  if (caller === undefined) throw new Error('No guard has let this caller through');
  return caller;
}

/** The same for a call that may have no caller. */
export const knownCallerOf = (http: FastifyRequest): Caller | undefined => callers.get(http);

export const letThrough = (http: FastifyRequest, caller: Caller): void => {
  callers.set(http, caller);
  letFinishSending(http.raw);
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const ORGANIZATION_HEADER = 'svc-organization';
const CSRF_HEADER = 'x-csrf-token';

/** Guards the routes of an organization: finds the caller and the organization, and checks scope and permission. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    private readonly buckets: CallerBuckets,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = routeOf(context.getHandler());
    if (route === undefined) throw new Error('A route must declare its permission');
    const http = context.switchToHttp().getRequest<FastifyRequest>();
    void context.switchToHttp().getResponse<FastifyReply>().header('cache-control', 'no-store');
    const identity = await this.authentication.identify(http.raw);
    this.buckets.take(identity);
    requireOrigin(identity, http);
    const standing = route.acrossOrganizations
      ? standingAcross(route, identity)
      : standingIn(organizationOf(identity, http), identity);
    requireScope(route, identity);
    requirePermission(route, standing.permissions);
    const { actor, userId, projectId, scopes } = identity;
    letThrough(http, { ...standing, actor, userId, projectId, scopes, requestId: http.id });
    return true;
  }
}

type Standing = Pick<Caller, 'organizationId' | 'permissions'>;

const standingIn = (organizationId: string, { organizations }: CallerIdentity): Standing => ({
  organizationId,
  permissions: organizations.get(organizationId) ?? new Set(),
});

/** A user without memberships may call, and sees nothing. */
function standingAcross({ permission }: DeclaredRoute, { organizations }: CallerIdentity): Standing {
  const [first] = organizations.keys();
  if (first === undefined) {
    return { organizationId: '', permissions: new Set(permission === null ? [] : [permission]) };
  }
  const held = [...organizations.values()].flatMap((ofOne) => [...ofOne]);
  return { organizationId: first, permissions: new Set(held) };
}

/** Browsers send the cookie from any site's page, so a write needs the CSRF token, which only our own pages know. */
function requireOrigin({ provesOrigin }: CallerIdentity, http: FastifyRequest): void {
  if (provesOrigin === null || SAFE_METHODS.has(http.method)) return;
  if (provesOrigin(headerOf(http, CSRF_HEADER) ?? '')) return;
  throw new GatewayError('permissionDenied', 'A write by cookie needs the session’s CSRF token.', {
    param: 'X-CSRF-Token',
  });
}

/**
 * The organization of the path, else of the header, else the caller's only one. Another organization answers as
 * unknown.
 */
function organizationOf({ organizations }: CallerIdentity, http: FastifyRequest): string {
  const inPath = (http.params as Record<string, string | undefined>)[ORGANIZATION_PARAM];
  const inHeader = headerOf(http, ORGANIZATION_HEADER);
  const named = inPath ?? inHeader;
  const [only] = organizations.keys();
  if (named === undefined && organizations.size > 1) {
    throw new GatewayError('invalidRequest', 'Name the organization: you are a member of several.', {
      param: 'Svc-Organization',
    });
  }
  const chosen = named ?? only;
  if (chosen === undefined || !organizations.has(chosen) || (inHeader !== undefined && inHeader !== chosen)) {
    throw new GatewayError('notFound', 'There is no such organization.');
  }
  return chosen;
}

/** @throws GatewayError `insufficientScope`. */
export function requireScope({ scope }: DeclaredRoute, { scopes }: Pick<CallerIdentity, 'scopes'>): void {
  if (scopes === null || (scope !== null && scopes.has(scope))) return;
  throw new GatewayError(
    'insufficientScope',
    scope === null ? 'No OAuth scope opens this route.' : `This route needs the scope ${scope}.`,
  );
}

/** @throws GatewayError `permissionDenied`. */
export function requirePermission({ permission }: DeclaredRoute, permissions: ReadonlySet<string>): void {
  if (permission === null || permissions.has(permission)) return;
  throw new GatewayError('permissionDenied', `This needs the permission ${permission}.`);
}

function headerOf(http: FastifyRequest, name: string): string | undefined {
  const value = http.headers[name];
  return typeof value === 'string' ? value : undefined;
}
