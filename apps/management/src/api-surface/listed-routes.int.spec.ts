import { fineTuningRoutes, healthRoutes, inferenceRoutes, sessionRoutes } from '@svc/api';
import { oauthProtocolRoutes, oauthResources } from '@svc/api/oauth-routes';
import { openTestDatabase } from '@svc/database/testing';
import {
  OpenApiDocument,
  referencePage,
  referencePages,
  routesListedIn,
  type OpenApiOperation,
} from '@svc/testing';
import { startManagement } from '../testing/management-under-test';

const otherServices = {
  otherRoutes: [
    inferenceRoutes,
    fineTuningRoutes,
    sessionRoutes,
    oauthProtocolRoutes,
    healthRoutes({ metricsNeedToken: true }),
  ],
  otherResources: oauthResources,
};

/** Who may call a route without a permission, by the only security scheme of the operation. */
const callers: Readonly<Record<string, string>> = {
  session: 'a session',
  operator: 'the operator',
  accessToken: 'an access token',
  metrics: 'the token of the metrics',
};

function openedBy({ 'x-permission': permission, security = [] }: OpenApiOperation): string {
  if (permission != null) return permission;
  const [scheme] = security.flatMap((one) => Object.entries(one));
  if (scheme === undefined) return 'anybody';
  const [name, [scope] = []] = scheme;
  return name === 'apiKey' ? (scope ?? 'any caller') : (callers[name] ?? '');
}

describe('docs/reference/routes.md', () => {
  let operations: readonly OpenApiOperation[];
  beforeAll(async () => {
    const store = await openTestDatabase();
    const management = await startManagement({ database: store.database }, otherServices);
    ({ operations } = await OpenApiDocument.readFrom(management.url));
    await management.close();
    await store.close();
  });

  it('lists every route of the document with what opens it, and no other', () => {
    const described = operations.map((operation) => {
      const { method, path, 'x-oauth-scope': scope = null } = operation;
      return { method, path, openedBy: openedBy(operation), scope };
    });
    const inOrder = (routes: readonly { method: string; path: string }[]) =>
      [...routes].sort((one, other) =>
        `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1,
      );
    expect(inOrder(routesListedIn(referencePage('routes.md')))).toEqual(inOrder(described));
  });

  it('and the other pages of the reference name no route that is not there', () => {
    const names = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
    const known = new Set(operations.map(({ method, path }) => `${method} ${names(path)}`));
    const named = referencePages().flatMap((page) =>
      Array.from(
        referencePage(page).matchAll(
          /`(GET|POST|PUT|PATCH|DELETE) (?:\{base_url\})?(\/(?!__simulator)[^\s`?]+)/g,
        ),
        ([, method, path = '']) => ({
          page,
          route: `${method!} ${names(path)}`,
        }),
      ),
    );
    expect(named.filter(({ route }) => !known.has(route))).toEqual([]);
    expect(named.length).toBeGreaterThan(200);
  });
});
