/** The subset of JSON Schema 2020-12 that this API uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A document's named schemas. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

const NAMED = '#/components/schemas/';

/** The name that a schema refers to; null for an inline schema. */
export const nameOf = ({ $ref }: JsonSchema): string | null =>
  $ref?.startsWith(NAMED) ? $ref.slice(NAMED.length) : null;

/** Resolves a schema's reference; keywords beside the reference take precedence. */
export function resolved(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const name = nameOf(schema);
  if (name === null) return schema;
  const target = named[name];
  if (target === undefined) throw new Error(`The document names a schema that it does not have: ${name}`);
  const { $ref: _, ...beside } = schema;
  return resolved({ ...target, ...beside }, named);
}

/** The alternatives of a schema; the schema alone where it has none. */
export const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ?? schema.oneOf ?? [schema];

export const isNull = ({ type }: JsonSchema): boolean => type === 'null';
