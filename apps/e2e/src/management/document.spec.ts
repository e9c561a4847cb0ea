import { lintOpenApi, OpenApiDocument } from '@svc/testing';
import { startSvc, type Svc } from '../harness/svc-process';
import { anonymous, promisedRoutes } from './promised-routes';

/** Paths of docs/interface.md whose service is not there yet. The list only shrinks. */
const NOT_YET: readonly string[] = [];

describe('the document of the whole service', () => {
  let svc: Svc;
  let document: OpenApiDocument;
  beforeAll(async () => {
    svc = await startSvc();
    document = await OpenApiDocument.readFrom(svc.baseUrl);
  });
  afterAll(() => svc.stop());

  it('is clean under a public linter', async () => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  it('holds every route that interface.md names', () => {
    const routes = promisedRoutes();
    const missing = routes.filter(
      (route) =>
        !document.operations.some(({ method, path }) => {
          const known = anonymous(path);
          const isThere = route.isSuffix ? known.endsWith(route.path) : known === route.path;
          return isThere && (route.method === null || route.method === method);
        }),
    );
    expect(missing.map(({ path }) => path).sort()).toEqual([...NOT_YET].sort());
    expect(routes.length).toBeGreaterThan(25);
  });

  it('is of version 3.1 and names the server that it is read from', () => {
    expect(document.raw).toMatchObject({ openapi: '3.1.1', servers: [{ url: svc.baseUrl }] });
  });
});
