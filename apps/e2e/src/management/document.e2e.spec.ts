import { lintOpenApi, OpenApiDocument, referencePage, routesListedIn } from '@svc/testing';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';

describe('the document of the whole service', () => {
  let svc: SharedSvc;
  let document: OpenApiDocument;
  beforeAll(async () => {
    svc = await sharedSvc();
    document = await OpenApiDocument.readFrom(svc.baseUrl);
  });

  it('is clean under a public linter', async () => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  it('holds the routes that the reference lists, and no others', () => {
    const named = (routes: readonly { method: string; path: string }[]) =>
      routes.map(({ method, path }) => `${method} ${path}`).sort();
    expect(named(document.operations)).toEqual(named(routesListedIn(referencePage('routes.md'))));
  });

  it('marks every amount of money as an integer of any size', () => {
    const amounts = document.fields.filter(({ name }) => name.endsWith('_nanos'));
    expect(amounts.filter(({ schema }) => schema['x-nanos'] !== true)).toEqual([]);
    expect(amounts.length).toBeGreaterThan(10);
  });

  it('is of version 3.1 and names the server that it is read from', () => {
    expect(document.raw).toMatchObject({ openapi: '3.1.1', servers: [{ url: svc.baseUrl }] });
  });
});
