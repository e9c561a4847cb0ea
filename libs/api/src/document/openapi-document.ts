import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { describeOperation } from './describe-operation';
import { type DocumentedRoutes } from './documented-routes';
import { INTRODUCTION } from './introduction';
import { markNanos } from './mark-nanos';
import { type Operation } from './operations';
import { ownRoutes } from './own-routes';
import { type OpenApiDocument } from './rendered-document';
import { securitySchemes } from './security';
import { withExamples } from './with-examples';

export interface DocumentOptions {
  readonly baseUrl: string;
  /** Descriptions by apps whose routes are not resources. */
  readonly otherRoutes: readonly DocumentedRoutes[];
}

const VERSION = '1.0.0';

const methods = {
  list: 'get',
  get: 'get',
  create: 'post',
  change: 'patch',
  replace: 'put',
  remove: 'delete',
  act: 'post',
} as const;

/** The OpenAPI 3.1 document of the routes that the code declares. */
export function openApiDocument(
  operations: readonly Operation[],
  { baseUrl, otherRoutes }: DocumentOptions,
): OpenApiDocument {
  const routes = [...otherRoutes, ownRoutes];
  const paths = pathsOf(operations, routes);
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Svc',
      version: VERSION,
      summary: 'A gateway for model inference, and the API that administers it.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This installation.' }],
    tags: tagsOf(operations, routes),
    paths,
    components: { securitySchemes: schemesUsedIn(paths, baseUrl) },
  });
  return withExamples(markNanos(document));
}

function pathsOf(
  operations: readonly Operation[],
  otherRoutes: readonly DocumentedRoutes[],
): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const routes of otherRoutes) Object.assign(paths, routes.paths);
  for (const operation of operations) {
    const { path, route } = operation;
    paths[path] = { ...paths[path], [methods[route.verb]]: describeOperation(operation) };
  }
  return paths;
}

function tagsOf(operations: readonly Operation[], otherRoutes: readonly DocumentedRoutes[]) {
  const tagsIn = (isAside: boolean) =>
    otherRoutes.filter((routes) => (routes.isAside ?? false) === isAside).flatMap(({ tags }) => tags);
  const ofResources = operations.map(({ resource: { tag, description } }) => ({ name: tag, description }));
  const byName = new Map<string, { readonly name: string; readonly description: string }>();
  for (const tag of [...tagsIn(false), ...ofResources, ...tagsIn(true)]) {
    if (!byName.has(tag.name)) byName.set(tag.name, tag);
  }
  return [...byName.values()];
}

function schemesUsedIn(paths: ZodOpenApiPathsObject, baseUrl: string) {
  const operations = Object.values(paths).flatMap((item) => [
    item.get,
    item.post,
    item.put,
    item.patch,
    item.delete,
  ]);
  const used = new Set(operations.flatMap((operation) => operation?.security?.flatMap(Object.keys) ?? []));
  return Object.fromEntries(Object.entries(securitySchemes(baseUrl)).filter(([name]) => used.has(name)));
}
