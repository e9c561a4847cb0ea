import fc from 'fast-check';
import { closedSchema } from './closed-schema';

const REFUSED =
  /"(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|maxItems|uniqueItems|oneOf|not)":/;

describe('a schema as Anthropic takes it', () => {
  it('is the same where it has nothing that is refused', () => {
    const schema = {
      type: 'object',
      properties: {
        minimum: { type: 'string', format: 'date', enum: ['a'] },
        list: { type: 'array', minItems: 1, items: { $ref: '#/$defs/one' } },
      },
      required: ['minimum'],
      additionalProperties: false,
      $defs: { one: { anyOf: [{ type: 'null' }, { type: 'integer' }] } },
    };
    expect(closedSchema(schema)).toEqual({ schema, refused: [] });
  });

  it('says in a description what it cannot have', () => {
    const score = { type: 'integer', description: 'A score.', minimum: 1, maximum: 10 };
    expect(closedSchema(score)).toEqual({
      schema: { type: 'integer', description: 'A score.\n\n{minimum: 1, maximum: 10}' },
      refused: ['minimum', 'maximum'],
    });
    expect(closedSchema({ type: 'array', minItems: 2 }).schema).toEqual({
      type: 'array',
      description: '{minItems: 2}',
    });
    expect(closedSchema({ type: 'string', format: 'phone' }).refused).toEqual(['format']);
  });

  it('is closed in every object', () => {
    const open = {
      type: 'object',
      properties: { a: { type: ['object', 'null'], additionalProperties: true } },
    };
    expect(closedSchema(open)).toEqual({
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: ['object', 'null'],
            additionalProperties: false,
            description: '{additionalProperties: true}',
          },
        },
      },
      refused: ['additionalProperties'],
    });
  });

  it('has none of the refused keywords at any depth', () => {
    const leaf = fc.constantFrom<unknown>(
      { type: 'integer', minimum: 1, multipleOf: 2 },
      { type: 'string', maxLength: 3, minLength: 1 },
      { type: 'array', maxItems: 2, uniqueItems: true },
      { not: { type: 'null' } },
      true,
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema') }),
        fc.record({ oneOf: fc.array(tie('schema'), { maxLength: 3 }) }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        }),
      ),
    }));
    fc.assert(
      fc.property(schema, (one) => {
        const closed = closedSchema(one);
        expect(JSON.stringify(closed.schema)).not.toMatch(REFUSED);
        // Once closed, it stays as it is.
        expect(closedSchema(closed.schema)).toEqual({ schema: closed.schema, refused: [] });
      }),
    );
  });
});
