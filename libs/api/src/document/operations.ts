import { type Type } from '@nestjs/common';
import { type MetadataScanner } from '@nestjs/core';
import { resourceOf, type DeclaredResource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { routeOf, type DeclaredRoute } from '../route';

/** One route at one of its paths. */
export interface Operation {
  readonly resource: DeclaredResource;
  readonly route: DeclaredRoute;
  /** As OpenAPI writes it: `/api/v1/budgets/{budget_id}`. */
  readonly path: string;
  readonly operationId: string;
}

/** Every route that the controllers declare, at every path that serves it. */
export function operationsOf(controllers: readonly Type[], scanner: MetadataScanner): Operation[] {
  return controllers.flatMap((controller) => {
    const resource = resourceOf(controller);
    if (resource === undefined) return [];
    const prototype = controller.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((method) => {
      const route = routeOf(prototype[method] ?? {});
      return route === undefined ? [] : operationsAt(resource, route, method);
    });
  });
}

/** The same for resources whose controllers are in another process. */
export const operationsDeclaredBy = (resources: readonly ResourceDeclaration[]): Operation[] =>
  resources.flatMap(({ resource, routes }) =>
    Object.entries(routes).flatMap(([method, route]) =>
      operationsAt(resource.declares, route.declares, method),
    ),
  );

function operationsAt(resource: DeclaredResource, route: DeclaredRoute, method: string): Operation[] {
  return resource.paths.map((root, index) => ({
    resource,
    route,
    path: `/${root}/${route.path}`.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}'),
    operationId: `${route.operation ?? nameOf(resource, route, method)}${index === 0 ? '' : 'InOrganization'}`,
  }));
}

function nameOf({ one, many }: DeclaredResource, { verb }: DeclaredRoute, method: string): string {
  const verbs = { get: 'get', create: 'create', change: 'update', replace: 'replace', remove: 'delete' };
  if (verb === 'list') return `list${many}`;
  return verb === 'act' ? `${method}${one}` : `${verbs[verb]}${one}`;
}
