import { z } from 'zod';
import { inferenceRoutes } from '../inference-routes/inference-routes';
import { oauthProtocolRoutes, oauthResources } from '../oauth-routes';
import { type DeclaredRoute } from '../route';
import { sessionRoutes } from '../session-routes/session-routes';
import { emptyAnswer } from './described-answers';
import { openApiDocument } from './openapi-document';
import { operationsDeclaredBy, type Operation } from './operations';

const route: DeclaredRoute = {
  verb: 'create',
  path: '',
  status: 201,
  summary: 'Makes a thing.',
  permission: 'wallet:write',
  scope: null,
  query: z.strictObject({}),
  headers: z.object({}),
  body: z.strictObject({ name: z.string().meta({ example: 'One' }) }).meta({ id: 'NewThing' }),
  answer: z.object({ id: z.string().meta({ example: 'thing_1' }) }).meta({ id: 'Thing' }),
  cursor: null,
};
const resource = {
  path: 'things',
  one: 'Thing',
  many: 'Things',
  tag: 'Things',
  description: 'For this spec.',
};

const operation = (changes: Partial<DeclaredRoute> = {}, isOperators = false): Operation => ({
  resource: { ...resource, paths: [], isOperators },
  route: { ...route, ...changes },
  path: isOperators ? '/platform/v1/things' : '/api/v1/things',
  operationId: 'createThing',
});

/** The document's only operation. */
function described(of: Operation, method = 'post') {
  const document = openApiDocument([of], { baseUrl: 'https://svc.example', otherRoutes: [] });
  const item = document.paths?.[of.path] as unknown as Record<string, Described>;
  return { document, operation: item[method]! };
}

interface Described {
  security: object[];
  parameters?: { $ref?: string; name?: string }[];
  requestBody: { required: boolean; content: Record<string, { example: unknown }> };
  responses: Record<
    string,
    { $ref?: string; headers?: object; content?: Record<string, { example: unknown }> }
  >;
}

describe('an operation of the document', () => {
  it('has an example of its body and of its answer, out of their fields', () => {
    const { requestBody, responses } = described(operation()).operation;
    expect(requestBody.content['application/json']!.example).toEqual({ name: 'One' });
    expect(responses['201']!.content!['application/json']!.example).toEqual({ id: 'thing_1' });
  });

  it('needs no body where all fields may be left out, but for a replacement', () => {
    const optional = z.strictObject({ name: z.string().optional() }).meta({ id: 'MaybeNamed' });
    const isRequired = (changes: Partial<DeclaredRoute>, method?: string) =>
      described(operation(changes), method).operation.requestBody.required;
    expect(isRequired({ verb: 'act', body: optional })).toBe(false);
    expect(isRequired({ verb: 'act' })).toBe(true);
    expect(isRequired({ verb: 'change', body: optional }, 'patch')).toBe(false);
    expect(isRequired({ verb: 'replace', body: optional }, 'put')).toBe(true);
  });

  it('names who may call, and what each must hold', () => {
    expect(described(operation()).operation.security).toEqual([
      { apiKey: ['wallet:write'] },
      { session: ['wallet:write'] },
    ]);
    expect(described(operation({ permission: null, scope: 'openid' })).operation.security).toEqual([
      { apiKey: [] },
      { accessToken: ['openid'] },
      { session: [] },
    ]);
    expect(described(operation({ callers: ['session'] })).operation.security).toEqual([
      { session: ['wallet:write'] },
    ]);
    expect(described(operation({}, true)).operation.security).toEqual([{ operator: [] }]);
  });

  it('can be answered with what the mechanism refuses, and with what it declares', () => {
    const { responses } = described(operation({ errors: ['conflict'] })).operation;
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '404', '409', '415', '429', '500']);
    expect(responses['409']).toEqual({ $ref: '#/components/responses/conflict' });
    expect(Object.keys(described(operation({}, true)).operation.responses)).toEqual([
      '201',
      '400',
      '401',
      '415',
      '429',
      '500',
    ]);
  });

  it('takes a CSRF token where it writes, and an organization where none is in the path', () => {
    const named = (of: Operation, method?: string) =>
      (described(of, method).operation.parameters ?? []).map(({ $ref }) => $ref?.split('/').at(-1));
    expect(named(operation())).toEqual(['organization', 'csrfToken']);
    expect(named(operation({ verb: 'get', body: null }), 'get')).toEqual(['organization']);
    expect(named(operation({ acrossOrganizations: true }))).toEqual(['csrfToken']);
    expect(named(operation({}, true))).toEqual([]);
  });

  it('has the request’s id on every answer, and a version’s tag where there is one', () => {
    const { document, operation: one } = described(operation({ versioned: true }));
    expect(Object.keys(one.responses['201']!.headers!)).toEqual(['X-Request-Id', 'ETag']);
    for (const answer of Object.values(document.components?.responses ?? {}))
      expect(answer).toHaveProperty(['headers', 'X-Request-Id']);
  });
});

describe('the document', () => {
  it('has the security schemes that are used, and no others', () => {
    const { components } = described(operation()).document;
    expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['apiKey', 'session']);
  });

  it('has what other apps tell of their routes, aside what is for those who run it', () => {
    const open = (tag: string, path: string, isAside?: true) => ({
      ...(isAside === undefined ? {} : { isAside }),
      tags: [{ name: tag, description: 'Of another app.' }],
      paths: {
        [path]: {
          get: { operationId: tag, tags: [tag], security: [], responses: { '204': emptyAnswer('Done.') } },
        },
      },
    });
    const document = openApiDocument([operation()], {
      baseUrl: 'https://svc.example',
      otherRoutes: [open('Health', '/healthz', true), open('Login', '/auth/login')],
    });
    expect(document.tags?.map(({ name }) => name)).toEqual(['Login', 'Things', 'Health', 'Reference']);
    expect(Object.keys(document.paths ?? {})).toEqual(expect.arrayContaining(['/healthz', '/auth/login']));
  });

  it('names 415 for each operation that takes a body, and for no other', () => {
    const document = openApiDocument([operation(), ...operationsDeclaredBy(oauthResources)], {
      baseUrl: 'https://svc.example',
      otherRoutes: [inferenceRoutes, sessionRoutes, oauthProtocolRoutes],
    });
    const operations = Object.values(document.paths ?? {}).flatMap(
      (item) => Object.values(item) as { operationId: string; requestBody?: object; responses: object }[],
    );
    const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
    const refusing = operations.filter(({ responses }) => '415' in responses);
    expect(refusing.map(({ operationId }) => operationId)).toEqual(
      withBody.map(({ operationId }) => operationId),
    );
    expect(withBody.length).toBeGreaterThan(10);
  });

  it('is put together of what is never changed by it', () => {
    const twice = [1, 2].map(() => described(operation()).document);
    expect(twice[0]).toEqual(twice[1]);
  });
});
