import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  type ApprovedCall,
  type ApprovedCallQueue,
  type ExecutedAnswer,
  type Execution,
  type RequesterStanding,
} from '@svc/approvals';
import { isRole, isScope, permissionsOfKey, permissionsOfScopes, rolePermissions } from '@svc/access';
import { GatewayError, type JsonValue } from '@svc/kernel';
import { type Caller } from '../caller';
import { requirePermission, requireScope } from '../callers/caller-guard';
import { readCall } from '../read-call';
import { resourceOf } from '../resource';
import { routeOf, type DeclaredRoute } from '../route';
import { methodOf } from '../verbs';
import { routeNameOf } from '../gated-calls/gated-call-of';

/** `ApprovedCallQueue` */
export const APPROVED_CALL_QUEUE = Symbol('approved call queue');

/** A route that an approved call can be made of, with its controller's method. */
interface ServedRoute {
  readonly route: DeclaredRoute;
  readonly handle: (call: object) => Promise<unknown>;
}

/**
 * Makes approved calls of the routes that this process serves, as their requesters: the same validation, permission and
 * method as when they were called (docs/decisions/0039).
 */
@Injectable()
export class ApprovedCalls {
  private served: ReadonlyMap<string, ServedRoute> | undefined;

  constructor(
    @Inject(APPROVED_CALL_QUEUE) private readonly queue: ApprovedCallQueue,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  isDue(): Promise<boolean> {
    return this.queue.isDue();
  }

  /** Makes the call that has been due longest. */
  async makeNext(): Promise<{ readonly more: boolean }> {
    const served = (this.served ??= this.discover());
    const call = await this.queue.claim([...served.keys()]);
    if (call === null) return { more: false };
    const found = served.get(call.route);
    if (found === undefined) throw new Error(`A call was claimed whose route is not served: ${call.route}`);
    await this.queue.execute(call, (execution, standing) => make(found, call, execution, standing));
    return { more: true };
  }

  private discover(): ReadonlyMap<string, ServedRoute> {
    const served = this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      const resource = metatype == null ? undefined : resourceOf(metatype);
      if (resource === undefined) return [];
      const controller = instance as Record<string, (call: object) => Promise<unknown>>;
      return this.scanner.getAllMethodNames(controller).flatMap((name): [string, ServedRoute][] => {
        const method = controller[name];
        const route = method && routeOf(method);
        if (method === undefined || route?.approval === undefined) return [];
        const handle = method.bind(controller);
        return [[routeNameOf(resource, route, methodOf(route.verb)), { route, handle }]];
      });
    });
    return new Map(served);
  }
}

async function make(
  { route, handle }: ServedRoute,
  call: ApprovedCall,
  execution: Execution,
  standing: RequesterStanding,
): Promise<ExecutedAnswer> {
  const caller = callerOf(call, execution, standing);
  requireScope(route, caller);
  requirePermission(route, caller.permissions);
  const body = (await handle(readCall(route, call.input, caller))) as JsonValue | undefined;
  const secret =
    route.secretField === undefined ? null : (body as Record<string, unknown>)[route.secretField];
  return { status: route.status, body, hasSecret: typeof secret === 'string' };
}

/** @throws GatewayError `permissionDenied` for a requester who is gone. */
function callerOf(
  { organizationId, requester: { type, id, userId }, requestId }: ApprovedCall,
  execution: Execution,
  standing: RequesterStanding,
): Caller {
  const common = { organizationId, actor: { type, id }, requestId, execution };
  switch (standing?.kind) {
    case 'api_key': {
      const { scopes, projectId } = standing;
      const permissions = permissionsOfKey(scopes, projectId);
      return { ...common, userId: null, projectId, permissions, scopes: null };
    }
    case 'user':
      if (!isRole(standing.role)) break;
      return {
        ...common,
        userId,
        projectId: null,
        permissions: rolePermissions[standing.role],
        scopes: null,
      };
    case 'oauth_app': {
      if (!isRole(standing.role)) break;
      const scopes = standing.scopes.filter(isScope);
      const permissions = permissionsOfScopes(scopes, standing.role);
      return { ...common, userId, projectId: null, permissions, scopes: new Set(scopes) };
    }
  }
  throw new GatewayError(
    'permissionDenied',
    'The requester can do nothing here any more: the membership, the key or the app’s grant has ended.',
  );
}
