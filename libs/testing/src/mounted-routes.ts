import { type FastifyInstance } from 'fastify';

/** A mounted route, with the path in OpenAPI's form: `/api/v1/budgets/{budget_id}`. */
export interface MountedRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * A list of the routes mounted from now on, which grows with them. HEAD is left out, because it comes with each GET.
 */
export function mountedRoutes(server: FastifyInstance): readonly MountedRoute[] {
  const routes: MountedRoute[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, path });
  });
  return routes;
}
