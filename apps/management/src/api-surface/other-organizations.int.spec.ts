import { namesIn, type OpenApiOperation, type Schema } from '@svc/testing';
import { type Answered, type Client } from '../testing/management-under-test';
import { populate, type Populated } from '../testing/surface/populated';
import {
  filled,
  ofOrganizations,
  openSurface,
  shortestBody,
  unknownIds,
  unknownLike,
  type Surface,
} from '../testing/surface/surface';

/** The parts of an answer that do not differ with every call. */
function told({ status, headers, body }: Answered) {
  const { error = {} } = (body ?? {}) as { error?: object };
  return { status, error: { ...error, request_id: null }, type: headers.get('content-type') };
}

describe('what belongs to another organization', () => {
  let surface: Surface;
  let ours: Populated;
  let theirs: Populated;
  beforeAll(async () => {
    surface = await openSurface();
    ours = await populate(surface);
    theirs = await populate(surface);
  });
  afterAll(() => surface.close());

  const call = (
    { method, path }: OpenApiOperation,
    ids: Readonly<Record<string, string>>,
    body: unknown,
    client: Client = ours.owner,
  ) => client.call(method, filled(path, ids), body);

  /** Routes that take a key and name a resource of an organization, beside the organization itself. */
  const naming = () =>
    ofOrganizations(surface.document).filter(
      ({ path, security = [] }) =>
        security.some((scheme) => 'apiKey' in scheme) &&
        namesIn(path).some((name) => name !== 'organization_id' && name !== 'model_id'),
    );

  it('44: answers on every route as what never was, to a well-formed call and to an empty one', async () => {
    const alike: [string, unknown, unknown][] = [];
    for (const operation of naming()) {
      const here = { organization_id: ours.organization.id };
      for (const body of [shortestBody(surface.document, operation), operation.requestBody && {}]) {
        const foreign = told(await call(operation, { ...theirs.ids, ...here }, body));
        const unknown = told(await call(operation, { ...unknownIds(operation), ...here }, body));
        alike.push([operation.operationId, foreign, unknown]);
      }
      const [, wellFormed] = alike.at(-2) ?? [];
      expect([operation.operationId, wellFormed]).toMatchObject([operation.operationId, { status: 404 }]);
    }
    for (const [operationId, foreign, unknown] of alike)
      expect([operationId, foreign]).toEqual([operationId, unknown]);
    expect(alike.length).toBeGreaterThan(40);
  });

  it('is not reached by its owner’s path either, and that organization as little as one that never was', async () => {
    const scoped = ofOrganizations(surface.document).filter(({ path }) => path.includes('{organization_id}'));
    for (const operation of scoped) {
      const body = shortestBody(surface.document, operation);
      const foreign = told(await call(operation, theirs.ids, body));
      const unknown = told(await call(operation, unknownIds(operation), body));
      expect([operation.operationId, foreign.status]).toEqual([operation.operationId, 404]);
      expect([operation.operationId, foreign]).toEqual([operation.operationId, unknown]);
    }
    expect(scoped.length).toBeGreaterThan(20);
  });

  it('is not told apart from what never was where a body or a filter names it', async () => {
    const seen: string[] = [];
    for (const operation of ofOrganizations(surface.document)) {
      for (const { where, name, prefix } of idsNamedBy(surface, operation)) {
        const foreignId = Object.values(theirs.ids).find((id) => id.startsWith(`${prefix}_`));
        if (foreignId === undefined) continue;
        const named = [foreignId, unknownLike(foreignId)];
        const answers = await Promise.all(named.map((id) => callNaming(operation, where, name, id)));
        const [foreign, unknown] = answers.map(told);
        expect([operation.operationId, name, foreign]).toEqual([operation.operationId, name, unknown]);
        expect(JSON.stringify(answers.map(({ body }) => body as unknown))).not.toContain(foreignId);
        seen.push(`${operation.operationId} ${name}`);
      }
    }
    expect(seen.length).toBeGreaterThan(3);
  });

  const callNaming = (operation: OpenApiOperation, where: 'body' | 'query', name: string, id: string) => {
    const path = filled(operation.path, ours.ids);
    if (where === 'query') return ours.owner.get(`${path}?${name}=${id}`);
    const body = { ...(shortestBody(surface.document, operation) as object), [name]: id };
    return ours.owner.call(operation.method, path, body);
  };

  it('is all still there', async () => {
    for (const operation of naming().filter(({ method }) => method === 'GET')) {
      const { status } = await call(operation, theirs.ids, undefined, theirs.owner);
      expect([operation.operationId, status]).toEqual([operation.operationId, 200]);
    }
  });
});

interface NamedId {
  readonly where: 'body' | 'query';
  readonly name: string;
  readonly prefix: string;
}

/** Fields of the body and of the query that hold an id, by the pattern of their schema. */
function idsNamedBy({ document }: Surface, { parameters, requestBody }: OpenApiOperation): NamedId[] {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ where: 'query' as const, name, schema }));
  const { properties = {} } = document.resolved<{ properties?: Record<string, Schema> }>(
    requestBody?.content['application/json']?.schema ?? {},
  );
  const body = Object.entries(properties).map(([name, schema]) => ({ where: 'body' as const, name, schema }));
  return [...query, ...body].flatMap(({ where, name, schema }) =>
    prefixesIn(JSON.stringify(schema)).map((prefix) => ({ where, name, prefix })),
  );
}

const prefixesIn = (schema: string): string[] =>
  [...schema.matchAll(/"pattern":"\^\(?([a-z|]+)\)?_\[0-9a-hj/g)].flatMap(([, prefixes = '']) =>
    prefixes.split('|'),
  );
