import { applyDecorators, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Permission } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { CallerBuckets } from './caller-buckets';
import { Authentication } from './authentication';
import { letThrough } from './caller-guard';

const PERMISSION = Symbol('permission');

/**
 * Guards routes below `/v1`, which API keys open. Cookies open nothing there, so that no page can act for who visits it, and no scope of an
 * access token does.
 */
@Injectable()
class KeyGuard implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    private readonly buckets: CallerBuckets,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const permission = Reflect.getMetadata(PERMISSION, context.getHandler()) as Permission;
    const http = context.switchToHttp().getRequest<FastifyRequest>();
    void context.switchToHttp().getResponse<FastifyReply>().header('cache-control', 'no-store');
    const identity = await this.authentication.identify(http.raw);
    this.buckets.take(identity);
    const { actor, userId, projectId, scopes, organizations } = identity;
    const [organization] = organizations;
    if (actor.type === 'user' || organization === undefined) {
      throw new GatewayError('invalidApiKey', 'The API key is missing or not valid.');
    }
    if (scopes !== null) throw new GatewayError('insufficientScope', 'No OAuth scope opens this route.');
    const [organizationId, permissions] = organization;
    if (!permissions.has(permission)) {
      throw new GatewayError('permissionDenied', `This needs the permission ${permission}.`);
    }
    letThrough(http, { organizationId, permissions, actor, userId, projectId, scopes, requestId: http.id });
    return true;
  }
}

/** Opens a route to API keys with a permission. `DocumentedRoutes` describe it: its form is that of another API. */
export const OpenedByKey = (permission: Permission): MethodDecorator =>
  applyDecorators(SetMetadata(PERMISSION, permission), UseGuards(KeyGuard));
