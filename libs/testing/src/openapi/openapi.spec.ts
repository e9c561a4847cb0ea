import { AnswerValidator } from './answer-validator';
import { lintOpenApi } from './lint-openapi';
import { OpenApiDocument, type RawDocument } from './openapi-document';

const error = { type: 'object', properties: { error: { type: 'object' } }, required: ['error'] };
const raw = {
  openapi: '3.1.1',
  info: { title: 'Spec', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: 'http://localhost' }],
  paths: {
    '/things/{thing_id}': {
      get: {
        operationId: 'getThing',
        tags: ['Things'],
        summary: 'One thing.',
        security: [],
        parameters: [{ $ref: '#/components/parameters/thingId' }],
        responses: {
          '200': {
            description: 'It.',
            headers: {
              'X-Request-Id': { $ref: '#/components/headers/requestId' },
              ETag: { schema: { type: 'string' } },
            },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '204': { description: 'Nothing.' },
          '404': {
            description: 'None.',
            content: {
              'application/json': {
                schema: error,
                examples: { one: { value: { error: { code: 'not_found' } } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    headers: { requestId: { required: true, schema: { type: 'string' } } },
    parameters: { thingId: { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Thing: {
        type: 'object',
        properties: { id: { type: 'string', example: 'a' }, at: { type: 'string', format: 'date-time' } },
        required: ['id'],
        additionalProperties: false,
      },
    },
  },
} as unknown as RawDocument;
const document = new OpenApiDocument(raw);
const [operation] = document.operations;

describe('the validation of an answer', () => {
  const problemOf = async (
    status: number,
    body: unknown,
    headers: Record<string, string> = { 'x-request-id': 'req_1' },
  ) =>
    (await AnswerValidator.of(document)).problemOf(operation!, {
      status,
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      text: body === undefined ? '' : JSON.stringify(body),
    });

  it.each<[string, number, unknown]>([
    ['a body that fits', 200, { id: 'a', at: '2026-11-20T09:30:00.000Z' }],
    ['no body where there is none', 204, undefined],
    ['an error of a documented code', 404, { error: { code: 'not_found' } }],
  ])('accepts %s', async (_, status, body) => {
    expect(await problemOf(status, body)).toBeNull();
  });

  it.each<[string, number, unknown, string]>([
    ['a status', 500, {}, 'the status 500 is not documented'],
    ['a field', 200, { id: 'a', colour: 'red' }, 'must NOT have additional properties'],
    ['a format', 200, { id: 'a', at: 'yesterday' }, 'must match format "date-time"'],
    ['a body', 204, {}, 'there should be no body'],
    ['an error’s code', 404, { error: { code: 'gone' } }, 'the code gone is not documented'],
  ])('tells of %s that is outside the document', async (_, status, body, problem) => {
    expect(await problemOf(status, body)).toContain(problem);
  });

  it('reports a missing required header, but not a missing optional one', async () => {
    expect(await problemOf(200, { id: 'a' }, {})).toBe('the header X-Request-Id is missing');
  });

  it('reports an undocumented content type', async () => {
    const problem = await problemOf(200, { id: 'a' }, { 'x-request-id': 'r', 'content-type': 'text/plain' });
    expect(problem).toBe('the type text/plain is not documented');
  });
});

describe('the linting of a document', () => {
  const changed = (changes: object) => {
    const item = raw.paths['/things/{thing_id}']!;
    return new OpenApiDocument({
      ...raw,
      paths: { '/things/{thing_id}': { get: { ...item['get']!, ...changes } } },
    });
  };

  it('finds no problem in a valid document', async () => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  it('finds an example that does not match, and a broken reference', async () => {
    const answers = (schema: object) => ({
      responses: {
        '200': { description: 'It.', content: { 'application/json': { schema, example: { id: 7 } } } },
        '404': { description: 'None.' },
      },
    });
    const problems = async (name: string) =>
      (await lintOpenApi(changed(answers({ $ref: `#/components/schemas/${name}` })))).join('\n');
    expect(await problems('Thing')).toContain('no-invalid-media-type-examples');
    expect(await problems('Nothing')).toContain('no-unresolved-refs');
  });
});
