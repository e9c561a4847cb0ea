import { isFields, type BodyFields } from '../body/body-fields';

/** Deeper, only required members and the last alternative are used, so that recursive schemas end. */
const OPTIONAL_DEPTH = 4;
/** A schema that recurs this deep has no value. */
const MAX_DEPTH = 12;
const MAX_REFERENCES = 8;
const MAX_LENGTH = 1000;

const TEXT_OF_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'simulator@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * A value that matches a JSON schema: same schema, same value. Follows local `$ref`, `allOf`, the first of
 * `anyOf` and `oneOf`, and the usual bounds; ignores `pattern`, `uniqueItems`, `not` and conditionals.
 */
export function sampleJson(schema: unknown): unknown {
  return sample(schema, schema, 0);
}

function sample(reference: unknown, root: unknown, depth: number): unknown {
  const schema = dereference(reference, root);
  if (!isFields(schema) || depth > MAX_DEPTH) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.allOf)) return sample(merge(schema, schema.allOf, root), root, depth + 1);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) {
    const alternative: unknown = alternatives.at(depth < OPTIONAL_DEPTH ? 0 : -1);
    return sample(merge(schema, [alternative], root), root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, root, depth);
    case 'array':
      return sampleArray(schema, root, depth);
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function typeOf(schema: BodyFields): unknown {
  if (Array.isArray(schema.type)) return schema.type[0] as unknown;
  if (schema.type !== undefined) return schema.type;
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

function dereference(schema: unknown, root: unknown): unknown {
  let place = schema;
  for (let hops = 0; hops < MAX_REFERENCES && isFields(place) && typeof place.$ref === 'string'; hops++) {
    place = resolve(place.$ref, root);
  }
  return place;
}

function resolve(pointer: string, root: unknown): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, key) => (isFields(place) ? place[key] : undefined), root);
}

/** One schema with the constraints of all, without the combiners. */
function merge(schema: BodyFields, parts: readonly unknown[], root: unknown): BodyFields {
  const { allOf: _all, anyOf: _any, oneOf: _one, ...rest } = schema;
  return parts
    .map((part) => dereference(part, root))
    .filter(isFields)
    .reduce(
      (merged, part) => ({
        ...merged,
        ...part,
        properties: { ...properties(merged), ...properties(part) },
        required: [...required(merged), ...required(part)],
      }),
      rest as BodyFields,
    );
}

function sampleObject(schema: BodyFields, root: unknown, depth: number): Record<string, unknown> {
  const wanted = required(schema);
  const members = Object.entries(properties(schema)).filter(
    ([name]) => depth < OPTIONAL_DEPTH || wanted.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, sample(member, root, depth + 1)]));
}

function sampleArray(schema: BodyFields, root: unknown, depth: number): unknown[] {
  const first: readonly unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const most = bound(schema.maxItems, MAX_LENGTH);
  const usual =
    schema.items === undefined || depth >= OPTIONAL_DEPTH ? first.length : Math.max(1, first.length);
  const length = Math.min(Math.max(bound(schema.minItems, 0), Math.min(usual, most)), MAX_LENGTH);
  return Array.from({ length }, (_, at) => sample(first[at] ?? schema.items, root, depth + 1));
}

function sampleText(schema: BodyFields): string {
  const text = TEXT_OF_FORMAT[String(schema.format)] ?? 'sample';
  const shortest = Math.min(bound(schema.minLength, 0), MAX_LENGTH);
  return text.padEnd(shortest, 'x').slice(0, bound(schema.maxLength, MAX_LENGTH));
}

function sampleNumber(schema: BodyFields): number {
  const above = bound(schema.exclusiveMinimum, -Infinity);
  const below = bound(schema.exclusiveMaximum, Infinity);
  const least = Math.max(bound(schema.minimum, -Infinity), above);
  const most = Math.min(bound(schema.maximum, Infinity), below);
  const step = bound(schema.multipleOf, typeOf(schema) === 'integer' ? 1 : 0);
  if (step > 0) {
    if (least > -Infinity) {
      const value = Math.ceil(least / step) * step;
      return value > above ? value : value + step;
    }
    const value = Math.floor(Math.min(most, step) / step) * step;
    return value < below ? value : value - step;
  }
  if (least > -Infinity && most < Infinity) return least + (most - least) / 2;
  if (least > -Infinity) return least + 1;
  return Math.min(1, most - 1);
}

function properties(schema: BodyFields): BodyFields {
  return isFields(schema.properties) ? schema.properties : {};
}

function required(schema: BodyFields): readonly unknown[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

function bound(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
