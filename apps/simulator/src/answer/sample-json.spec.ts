import { z } from 'zod';
import { sampleJson } from './sample-json';

const weather = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 10 },
    unit: { enum: ['celsius', 'fahrenheit'] },
    days: { type: 'integer', minimum: 3, maximum: 3 },
    share: { type: 'number', exclusiveMinimum: 0.2, exclusiveMaximum: 0.3 },
    step: { type: 'integer', minimum: 7, multipleOf: 5 },
    maybe: { type: ['integer', 'null'], minimum: 2, maximum: 5 },
    below: { type: 'integer', exclusiveMaximum: 0 },
    hours: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 4 },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
    note: { type: ['string', 'null'], maxLength: 3 },
    when: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email' },
    either: {
      anyOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'null' }],
    },
    both: { allOf: [{ type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] }] },
  },
  required: ['city', 'unit'],
  additionalProperties: false,
} as const;

describe('sampleJson', () => {
  it('makes a value that matches its schema, optional members included', () => {
    const value = sampleJson(weather);
    expect(z.fromJSONSchema(weather as never).safeParse(value)).toMatchObject({ success: true });
    expect(Object.keys(value as object)).toEqual(Object.keys(weather.properties));
  });

  it('makes the same value each time', () => {
    expect(sampleJson(weather)).toEqual(sampleJson(weather));
  });

  it('ends at a schema that refers to itself, by the alternative that ends it', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { left: { $ref: '#/$defs/link' }, right: { $ref: '#/$defs/link' } },
          required: ['left', 'right'],
        },
        link: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      },
    };
    const leaf = { left: null, right: null };
    const branch = { left: leaf, right: leaf };
    expect(sampleJson(tree)).toEqual({ left: branch, right: branch });
  });

  it.each([
    [{ $ref: '#' }, null],
    [{ $ref: '#/nowhere' }, null],
    [true, null],
    [undefined, null],
    [{}, null],
    [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, expect.anything()],
    [{ type: 'integer', minimum: 1e20, exclusiveMaximum: 1e20 }, expect.any(Number)],
    [{ type: 'array', minItems: 1e12, items: { const: 1 } }, expect.any(Array)],
  ])('ends at a schema that nothing or anything matches: %j', (schema, expected) => {
    expect(sampleJson(schema)).toEqual(expected);
  });
});
