import {
  alternativesOf,
  isNull,
  resolved,
  type JsonSchema,
  type NamedSchemas,
} from '../document/json-schema';

/** One line of a table of fields. */
export interface Field {
  /** With its enclosing fields: `effective_rate_limit.rpm`, `attempts[].region`. */
  readonly name: string;
  readonly type: string;
  /** The possible values, where they are few. */
  readonly values: readonly string[];
  readonly required: boolean;
  readonly description: string | null;
  /** The bounds of a value; null where the type says all. */
  readonly bounds: string | null;
}

/** The fields of an object, and of the objects in it; none for another type. */
export function fieldsOf(schema: JsonSchema, named: NamedSchemas, around = ''): Field[] {
  const { type, properties = {}, required = [], items } = soleOf(schema, named);
  if (type === 'array' && items !== undefined) return fieldsOf(items, named, `${around}[]`);
  const prefix = around === '' ? '' : `${around}.`;
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = `${prefix}${key}`;
    return [fieldOf(name, field, named, required.includes(key)), ...fieldsOf(field, named, name)];
  });
}

export function fieldOf(name: string, schema: JsonSchema, named: NamedSchemas, required: boolean): Field {
  const sole = soleOf(schema, named);
  const element = sole.type === 'array' && sole.items !== undefined ? soleOf(sole.items, named) : sole;
  return {
    name,
    type: typeOf(schema, named),
    values: valuesOf(element),
    required,
    description: resolved(schema, named).description ?? sole.description ?? null,
    bounds: boundsOf(sole, resolved(schema, named).default),
  };
}

/** The schema itself, or its only alternative that is not null. */
function soleOf(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const whole = resolved(schema, named);
  const alternatives = alternativesOf(whole).filter((alternative) => !isNull(alternative));
  const [sole] = alternatives;
  return sole === undefined || sole === whole || alternatives.length > 1 ? whole : soleOf(sole, named);
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  date: 'date',
  email: 'e-mail address',
  uri: 'URL',
};

function typeOf(schema: JsonSchema, named: NamedSchemas): string {
  const whole = resolved(schema, named);
  const alternatives = alternativesOf(whole);
  if (alternatives[0] !== whole) {
    return [...new Set(alternatives.map((alternative) => typeOf(alternative, named)))].join(' or ');
  }
  const { type, format, items, additionalProperties } = whole;
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items, named)}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `object of ${typeOf(additionalProperties, named)}`;
  }
  if (type === undefined)
    return typeof (whole.const ?? whole.enum?.[0] ?? {}) === 'string' ? 'string' : 'any';
  const [, idPrefix] = /^\^([a-z]+_)\[/.exec(whole.pattern ?? '') ?? [];
  if (idPrefix !== undefined) return `id ${idPrefix}…`;
  return formats[format ?? ''] ?? [type].flat().join(' or ');
}

const valuesOf = (schema: JsonSchema): string[] =>
  (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String);

function boundsOf(schema: JsonSchema, standard: unknown): string | null {
  const { minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  const least = schema.minimum ?? schema.exclusiveMinimum ?? -Infinity;
  const most = schema.maximum ?? schema.exclusiveMaximum ?? Infinity;
  const said = [
    rangeOf(minLength, maxLength ?? Infinity, 'characters', 0),
    rangeOf(minItems, maxItems ?? Infinity, 'items', 0),
    rangeOf(isLargest(least) ? -Infinity : least, isLargest(most) ? Infinity : most, '', -Infinity),
    standard === undefined ? null : `default ${JSON.stringify(standard)}`,
  ].filter((text) => text !== null);
  return said.length === 0 ? null : said.join(', ');
}

/** Every JSON integer has this bound, so the reference does not show it. */
const isLargest = (bound: number): boolean => Math.abs(bound) === Number.MAX_SAFE_INTEGER;

function rangeOf(least: number, most: number, unit: string, trivial: number): string | null {
  const count = (text: string, number = most): string =>
    `${text} ${number === 1 ? unit.replace(/s$/, '') : unit}`.trim();
  if (least === most) return count(`exactly ${written(most)}`);
  if (most !== Infinity) {
    return count(least === trivial ? `at most ${written(most)}` : `${written(least)}–${written(most)}`);
  }
  return least === trivial ? null : count(`at least ${written(least)}`, least);
}

const written = (number: number): string => number.toLocaleString('en');
