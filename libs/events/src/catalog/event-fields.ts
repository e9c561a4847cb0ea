import { isDeepStrictEqual } from 'node:util';
import { idPrefixes, isJsonInteger, type IdKind, type JsonInteger } from '@svc/kernel';

declare const contentFree: unique symbol;

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A field of an event's `data`, with an example value. Only the functions below make one, and each bounds the form or
 * the length of a text. So no event can be declared with room for a prompt, an output or a secret
 * (docs/reference/events.md#the-envelope).
 */
interface EventField<T> {
  /** For receivers. Objects allow more fields, because an event may get some. */
  readonly schema: JsonSchema;
  /** The path and the kind of each problem, never the value, which may be confidential. An undeclared field is one. */
  readonly problemsOf: (value: unknown, path: string) => readonly string[];
  readonly example: T;
  readonly [contentFree]: true;
}

const field = <T>(schema: JsonSchema, example: T, problemsOf: EventField<T>['problemsOf']): EventField<T> =>
  ({ schema, example, problemsOf }) as EventField<T>;

/** @param problemOf null for a valid value. */
const plain = <T>(
  schema: JsonSchema,
  example: T,
  problemOf: (value: unknown) => string | null,
): EventField<T> =>
  field(schema, example, (value, path) => {
    const problem = problemOf(value);
    return problem === null ? [] : [`${path} ${problem}`];
  });

interface Bounds {
  readonly maxLength?: number;
  readonly pattern?: RegExp;
}

const text = (example: string, { maxLength, pattern }: Bounds): EventField<string> => {
  const bounds = {
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern && { pattern: pattern.source }),
  };
  return plain({ type: 'string', ...bounds }, example, (value) => {
    if (typeof value !== 'string') return 'invalid_type';
    if (maxLength !== undefined && value.length > maxLength) return 'too_big';
    return pattern === undefined || pattern.test(value) ? null : 'invalid_format';
  });
};

/** The longest name that an event can carry. Stored names must have at most this length. */
export const EVENT_NAME_MAX_CHARACTERS = 256;
const LIST_MAX = 1_000;

const EXAMPLE_ID = '01jd3m5qk8x2v7n4w9t6r0y1zb';
/** Longer than the current ids: receivers should treat an id as opaque. */
const ID_REST = '\\S{1,64}$';

/** An id of this kind, or of one of these kinds. */
export const idOf = (...kinds: readonly [IdKind, ...IdKind[]]): EventField<string> => {
  const prefixes = kinds.map((kind) => idPrefixes[kind]).join('|');
  return text(`${idPrefixes[kinds[0]]}_${EXAMPLE_ID}`, { pattern: new RegExp(`^(${prefixes})_${ID_REST}`) });
};

/** A name given by people: of a key, a provider, a model. */
export const name = (example: string): EventField<string> =>
  text(example, { maxLength: EVENT_NAME_MAX_CHARACTERS });

/** A code from an open list: a permission, a reason, a failure code. */
export const code = (example: string): EventField<string> =>
  text(example, { pattern: /^[A-Za-z0-9][A-Za-z0-9_.:*-]{0,127}$/ });

export const oneOf = <const V extends string>(...values: readonly [V, ...V[]]): EventField<V> =>
  plain<V>({ type: 'string', enum: values }, values[0], (value) =>
    values.includes(value as V) ? null : 'invalid_value',
  );

export const flag = (example: boolean): EventField<boolean> =>
  plain({ type: 'boolean' }, example, (value) => (typeof value === 'boolean' ? null : 'invalid_type'));

export const count = (example: number): EventField<number> =>
  plain({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, example, (value) => {
    if (!Number.isInteger(value)) return 'invalid_type';
    if (Number(value) < 0) return 'too_small';
    return Number.isSafeInteger(value) ? null : 'too_big';
  });

/** An amount of money, in whole nano-dollars. */
export const nanosAmount = count;

/** A sum of amounts, which has no bound. */
export const nanosSum = (example: number): EventField<JsonInteger> =>
  plain<JsonInteger>({ type: 'integer', minimum: 0 }, example, (value) =>
    isJsonInteger(value) ? null : 'custom',
  );

const LEAP_DAY = String.raw`(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29`;
const DAY_OF_LONG_MONTH = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`;
const DAY_OF_SHORT_MONTH = String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:Z)`;
const TIMESTAMP = new RegExp(
  String.raw`^(?:${LEAP_DAY}|\d{4}-(?:${DAY_OF_LONG_MONTH}|${DAY_OF_SHORT_MONTH}))T(?:${TIME})$`,
);

/** ISO 8601 UTC with milliseconds. */
export const timestamp = (): EventField<string> => {
  const { schema, problemsOf } = text('', { pattern: TIMESTAMP });
  const { type, pattern } = schema;
  return field({ type, format: 'date-time', pattern }, '2026-11-20T12:00:00.000Z', problemsOf);
};

export const webhookUrl = (): EventField<string> =>
  text('https://hooks.example.com/svc', { maxLength: 2_048, pattern: /^https?:/ });

/** The last characters of a signing secret, to identify it. */
export const secretLast4 = (): EventField<string> => text('9f3c', { pattern: /^[0-9a-f]{4}$/ });

/** An IP address in its one form. */
export const ipAddress = (): EventField<string> =>
  text('203.0.113.7', { maxLength: 45, pattern: /^[0-9a-f:.]+$/ });

/** The visible part of an API key. */
export const keyPrefix = (): EventField<string> =>
  text('svc_sk_Zk3vQ8aB', { pattern: /^svc_sk_[A-Za-z0-9_-]{1,8}$/ });

export const listOf = <T>(item: EventField<T>): EventField<readonly T[]> =>
  field<readonly T[]>(
    { maxItems: LIST_MAX, type: 'array', items: item.schema },
    [item.example],
    (value, path) => {
      if (!Array.isArray(value)) return [`${path} invalid_type`];
      if (value.length > LIST_MAX) return [`${path} too_big`];
      return value.flatMap((one, at) => item.problemsOf(one, `${path}.${String(at)}`));
    },
  );

export const orNull = <T>({ schema, example, problemsOf }: EventField<T>): EventField<T | null> =>
  field<T | null>({ anyOf: [schema, { type: 'null' }] }, example, (value, path) =>
    value === null ? [] : problemsOf(value, path),
  );

/** An event's name, with the `data` of its example. */
export interface EventExample {
  readonly type: string;
  readonly data: object;
}

/**
 * One of these events with exactly its own example, so with nothing that is not in the catalogue already. Receivers are
 * promised less, because examples change when fields are added.
 */
export function exampleOf<Type extends string>(
  events: Readonly<Record<Type, { readonly example: object }>>,
  shown: NoInfer<Type>,
): EventField<EventExample> {
  const examples = new Map(
    Object.entries<{ readonly example: object }>(events).map(([type, { example }]) => [type, example]),
  );
  const isExample = (value: unknown): boolean => {
    const { type } = Object(value) as Partial<EventExample>;
    const data = type === undefined ? undefined : examples.get(type);
    return data !== undefined && isDeepStrictEqual(value, { type, data });
  };
  const schema = {
    type: 'object',
    properties: { type: { type: 'string' }, data: { type: 'object' } },
    required: ['type', 'data'],
  };
  const example = { type: shown, data: events[shown].example };
  return plain<EventExample>(schema, example, (value) => (isExample(value) ? null : 'custom'));
}

export type EventFields = Readonly<Record<string, EventField<unknown>>>;
export type NoFields = Readonly<Record<never, never>>;
type ValuesOf<F extends EventFields> = { readonly [K in keyof F]: F[K]['example'] };
export type ObjectOf<F extends EventFields, Optional extends EventFields> = ValuesOf<F> &
  Partial<ValuesOf<Optional>>;

/** An object with exactly these fields; the optional ones may be absent. The example has them all. */
export function object<F extends EventFields, Optional extends EventFields = NoFields>(
  fields: F,
  optional?: Optional,
): EventField<ObjectOf<F, Optional>> {
  const optionals = optional ?? {};
  const all: readonly [string, EventField<unknown>][] = Object.entries({ ...fields, ...optionals });
  const required = Object.keys(fields);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(all.map(([key, { schema: of }]) => [key, of])),
    ...(required.length > 0 && { required }),
  };
  const example = Object.fromEntries(all.map(([key, { example: of }]) => [key, of]));
  return field(schema, example as ObjectOf<F, Optional>, (value, path) => {
    if (!isObject(value)) return [`${path} invalid_type`];
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties, key));
    const problems = all
      .filter(([key]) => value[key] !== undefined || !Object.hasOwn(optionals, key))
      .flatMap(([key, { problemsOf }]) => problemsOf(value[key], `${path}.${key}`));
    return unknown.length === 0 ? problems : [...problems, `${path} unrecognized_keys`];
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
