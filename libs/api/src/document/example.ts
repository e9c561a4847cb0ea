import { alternativesOf, isNull, resolved, type JsonSchema, type NamedSchemas } from './json-schema';

interface ExampleOptions {
  /** Leaves out optional fields: the result is the shortest accepted body. */
  readonly requiredOnly?: boolean;
}

/** A value that fits the schema, put together from the examples of its fields. */
export function exampleOf(schema: JsonSchema, named: NamedSchemas, options: ExampleOptions = {}): unknown {
  const whole = resolved(schema, named);
  if (whole.example !== undefined) return whole.example;
  if (whole.examples?.[0] !== undefined) return whole.examples[0];
  if (whole.const !== undefined) return whole.const;
  if (whole.enum !== undefined) return whole.enum[0];
  if (whole.default !== undefined) return whole.default;
  if (whole.allOf !== undefined) {
    return Object.assign({}, ...whole.allOf.map((part) => exampleOf(part, named, options))) as object;
  }
  const alternatives = alternativesOf(whole);
  const [chosen = whole] = alternatives.filter((alternative) => !isNull(alternative));
  return chosen === whole ? exampleOfType(whole, named, options) : exampleOf(chosen, named, options);
}

function exampleOfType(schema: JsonSchema, named: NamedSchemas, options: ExampleOptions): unknown {
  const { type } = schema;
  switch (typeof type === 'string' ? type : type?.find((one) => one !== 'null')) {
    case 'object':
      return exampleOfObject(schema, named, options);
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, named, options)];
    case 'string':
      return textOfFormat[schema.format ?? ''] ?? 'text'.padEnd(schema.minLength ?? 0, ' text');
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function exampleOfObject(schema: JsonSchema, named: NamedSchemas, options: ExampleOptions): object {
  const { properties = {}, required = [], additionalProperties } = schema;
  const shown = Object.entries(properties).filter(
    ([name]) => options.requiredOnly !== true || required.includes(name),
  );
  const fields = shown.map(([name, field]) => [name, exampleOf(field, named, options)]);
  if (fields.length > 0 || typeof additionalProperties !== 'object') {
    return Object.fromEntries(fields) as object;
  }
  const name = schema.propertyNames === undefined ? 'name' : exampleOf(schema.propertyNames, named, options);
  return { [String(name)]: exampleOf(additionalProperties, named, options) };
}

const textOfFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  email: 'dana@example.com',
  uri: 'https://example.com',
};

function numberIn({ minimum, exclusiveMinimum, maximum = Infinity }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  // Zod bounds every integer by the largest that JSON can hold exactly, which makes a poor example.
  return Math.min(Math.max(least, 1), maximum);
}
