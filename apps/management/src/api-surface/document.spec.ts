import { lintOpenApi } from '@svc/testing';
import { openSurface, type Surface } from '../testing/surface/surface';

describe('the OpenAPI document', () => {
  let surface: Surface;
  beforeAll(async () => {
    surface = await openSurface();
  });
  afterAll(() => surface.close());

  it('is clean under a public linter', async () => {
    expect(await lintOpenApi(surface.document)).toEqual([]);
  });

  it('holds every route that is mounted, so that none is without a declaration', () => {
    const documented = surface.document.operations.map(({ method, path }) => `${method} ${path}`);
    const mounted = surface.management.routes
      .filter(({ path }) => /^\/(api|platform)\//.test(path))
      .map(({ method, path }) => `${method} ${path}`);
    expect(new Set(documented)).toEqual(new Set(mounted));
  });

  it('names each operation once, and has an example of every body', () => {
    const { operations } = surface.document;
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, requestBody, answers } of operations) {
      const bodies = [requestBody, ...Object.values(answers)].flatMap((one) =>
        Object.values(one?.content ?? {}),
      );
      const without = bodies.filter(
        ({ example, examples }) => example === undefined && examples === undefined,
      );
      expect([operationId, without]).toEqual([operationId, []]);
    }
  });

  it('says for whom each operation is', () => {
    const silent = surface.document.operations.filter(({ security }) => security === undefined);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });
});
