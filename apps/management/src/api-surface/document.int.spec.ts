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

  it('marks every amount of money, and nothing else, as an integer of any size', () => {
    const { fields } = surface.document;
    const amounts = fields.filter(({ name }) => name.endsWith('_nanos'));
    expect(fields.filter(({ schema }) => 'x-nanos' in schema)).toEqual(amounts);
    expect(amounts.length).toBeGreaterThan(10);
    for (const { name, schema } of amounts) {
      expect([name, schema]).toEqual([name, expect.objectContaining({ 'x-nanos': true })]);
      expect([name, JSON.stringify(schema)]).toEqual([name, expect.stringContaining('"integer"')]);
    }
  });

  it('says for whom each operation is', () => {
    const silent = surface.document.operations.filter(({ security }) => security === undefined);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });
});
