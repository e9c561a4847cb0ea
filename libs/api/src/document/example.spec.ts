import { exampleOf } from './example';
import { type JsonSchema } from './json-schema';

const named: Record<string, JsonSchema> = {
  Limits: {
    type: 'object',
    properties: { rpm: { type: 'integer', minimum: 5 }, tpm: { type: ['integer', 'null'], example: 900 } },
    required: ['rpm', 'tpm'],
  },
};
const example = (schema: JsonSchema, requiredOnly = false) => exampleOf(schema, named, { requiredOnly });

describe('the example of a schema', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['its own, before all else', { type: 'string', example: 'Acme', enum: ['a'], default: 'b' }, 'Acme'],
    ['also where that is null', { type: ['string', 'null'], example: null }, null],
    ['its first value', { type: 'string', enum: ['public', 'confidential'] }, 'public'],
    ['its only value', { const: 'list' }, 'list'],
    ['its default', { type: 'integer', default: 20 }, 20],
    [
      'of its alternatives the first that says something',
      { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
      true,
    ],
    ['a number within its bounds', { type: 'integer', exclusiveMinimum: 7 }, 8],
    ['a number not above its bounds', { type: 'integer', maximum: 0 }, 0],
    ['a text of its format', { type: 'string', format: 'email' }, 'dana@example.com'],
    ['a list of one', { type: 'array', items: { type: 'boolean' } }, [true]],
    ['what its name stands for', { $ref: '#/components/schemas/Limits' }, { rpm: 5, tpm: 900 }],
    ['a map of one', { type: 'object', additionalProperties: { type: 'integer' } }, { name: 1 }],
  ])('is %s', (_, schema, expected) => {
    expect(example(schema)).toEqual(expected);
  });

  it('holds no more than it must where the shortest is asked for', () => {
    const body: JsonSchema = {
      type: 'object',
      properties: { name: { type: 'string', example: 'Search' }, note: { type: 'string' } },
      required: ['name'],
    };
    expect(example(body, true)).toEqual({ name: 'Search' });
    expect(Object.keys(example(body) as object)).toEqual(['name', 'note']);
  });

  it('is not made up for a name that nothing has', () => {
    expect(() => example({ $ref: '#/components/schemas/Unknown' })).toThrow('Unknown');
  });
});
