import fc from 'fast-check';
import { type OpenApiDocument, type Schema } from '@svc/testing';

type Values = fc.Arbitrary<unknown>;

/** Part of every secret that is sent: no answer may show it. */
export const CANARY = 'canary-4f0c8d2e6a1b';

/** A mark for an id of a kind, which is chosen when the call is sent. No generated text looks like it. */
export const idMark = (prefix: string, pick: number): string => `⟦${prefix}:${String(pick)}⟧`;
export const isIdMark = (text: string): boolean => /^⟦[a-z]+:\d+⟧$/.test(text);
export const withIds = (text: string, choose: (prefix: string, pick: number) => string): string =>
  text.replaceAll(/⟦([a-z]+):(\d+)⟧/g, (_, prefix: string, pick: string) => choose(prefix, Number(pick)));

/** Values of kinds that often break programs. */
export const hostile: Values = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202e', '\u001b[2J', '🫠', 'a'.repeat(5000), '٣'],
    ...["' OR 1=1 --", '<script>alert(1)</script>', '${7*7}', '../../etc/passwd', '%00', '__proto__', 'NaN'],
    ...[
      '1e999',
      '-1',
      '9'.repeat(30),
      '0x10',
      'true',
      'null',
      '2026-02-30T00:00:00.000Z',
      '+010000-01-01T00:00:00Z',
    ],
    ...[null, true, false, 0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [[]], [null]],
    ...[
      { toString: 1 },
      { constructor: { prototype: {} } },
      { length: 1e9 },
      JSON.parse('{"__proto__":{"a":1}}'),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that fit the schema; a secret contains the canary. */
export function valuesOf(schema: Schema, document: OpenApiDocument, name = ''): Values {
  const { type, properties, items, ...whole } = document.resolved<Part>(schema);
  if (whole.writeOnly === true || /secret|password/.test(name)) return fc.constant(CANARY);
  if (whole.const !== undefined) return fc.constant(whole.const);
  if (whole.enum !== undefined) return fc.constantFrom(...whole.enum);
  const alternatives = whole.anyOf ?? whole.oneOf;
  if (alternatives !== undefined) {
    return fc.oneof(...alternatives.map((one) => valuesOf(one, document, name)));
  }
  if (Array.isArray(type)) {
    return fc.oneof(
      ...type.map((one) => valuesOf({ ...whole, type: one, properties, items }, document, name)),
    );
  }
  switch (type) {
    case 'object':
      return orExample(objectsOf({ ...whole, properties }, document), whole.example);
    case 'array':
      return arraysOf({ ...whole, items }, document, name);
    case 'string':
      return orExample(textsOf(whole), whole.example);
    case 'integer':
      return integersOf(whole);
    case 'number':
      return fc.double({ min: whole.minimum ?? -1e9, max: whole.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

/** Bodies: half of them fit, the others nearly fit or do not fit at all. */
export function bodiesOf(schema: Schema, document: OpenApiDocument): Values {
  const fitting = valuesOf(schema, document);
  const { properties = {} } = document.resolved<Part>(schema);
  const names = fc.constantFrom(...Object.keys(properties), 'colour', '__proto__', 'constructor');
  const off = fc
    .tuple(fitting, names, hostile)
    .map(([body, name, value]) => ({ ...(body as object), [name]: value }));
  const short = fc.tuple(fitting, names).map(([body, name]) => {
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    return rest;
  });
  return fc.oneof(
    { weight: 5, arbitrary: fitting },
    { weight: 3, arbitrary: off },
    { weight: 1, arbitrary: short },
    { weight: 1, arbitrary: hostile },
  );
}

interface Part {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly writeOnly?: boolean;
  readonly example?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function objectsOf(part: Part, document: OpenApiDocument): Values {
  const { properties = {}, required = [], additionalProperties } = part;
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(field, document, name)]);
  if (fields.length === 0 && typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string(), valuesOf(additionalProperties, document));
  }
  return fc.record(Object.fromEntries(fields) as Record<string, Values>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  });
}

const LIST_MAX = 4;

const arraysOf = (
  { items = {}, minItems = 0, maxItems = LIST_MAX }: Part,
  document: OpenApiDocument,
  name: string,
) =>
  fc.uniqueArray(valuesOf(items, document, name), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, LIST_MAX)),
    selector: (value) => JSON.stringify(value),
  });

const AN_ID = /"[a-z]+_[0-9a-z]{26}"/;

/**
 * An example also keeps rules that the schema cannot express, such as that a provider is in the catalog, or which filters
 * a metric takes. An example with an id names nothing that is there.
 */
const orExample = (values: Values, example: unknown): Values =>
  example === undefined || example === null || AN_ID.test(JSON.stringify(example))
    ? values
    : fc.oneof(values, fc.constant(example));

const TEXT_MAX = 60;
const dates = fc.oneof(
  {
    arbitrary: fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
    weight: 8,
  },
  // Of the year 0, and of the first and the last that the API knows.
  {
    arbitrary: fc.constantFrom(new Date('0000-01-01'), new Date('0001-01-01'), new Date('9999-12-31')),
    weight: 1,
  },
);

function textsOf({ format, pattern, minLength = 0, maxLength = Infinity }: Part): Values {
  if (format === 'date-time') return dates.map((date) => date.toISOString());
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10));
  if (format === 'email') return fc.emailAddress().map((address) => address.toLowerCase());
  if (format === 'uri') return fc.webUrl();
  const [, prefixes] = /^\^\(?([a-z|]+)\)?_\[0-9a-hj/.exec(pattern ?? '') ?? [];
  if (prefixes !== undefined) {
    return fc
      .tuple(fc.constantFrom(...prefixes.split('|')), fc.nat({ max: 99 }))
      .map(([prefix, pick]) => idMark(prefix, pick));
  }
  const length = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, TEXT_MAX)) };
  // The pattern forbids control characters; fast-check does not support `\p`.
  const plain = fc.string({ unit: 'grapheme', ...length }).filter((text) => text.length <= maxLength);
  return pattern === undefined || pattern.includes(String.raw`\p`)
    ? plain
    : fc
        .stringMatching(new RegExp(pattern))
        .filter((text) => text.length >= minLength && text.length <= maxLength);
}

function integersOf({ minimum, exclusiveMinimum, maximum }: Part): Values {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
  const max = maximum ?? 1_000_000;
  return fc
    .oneof(fc.maxSafeInteger(), fc.integer({ min: 0, max: 1000 }))
    .map((any) => Math.min(Math.max(any, min), max));
}
