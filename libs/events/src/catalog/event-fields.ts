import { isDeepStrictEqual } from 'node:util';
import { idPrefixes, isJsonInteger, type IdKind, type JsonInteger } from '@svc/kernel';
import { z } from 'zod';

declare const contentFree: unique symbol;

/**
 * A field of an event's `data`, with an example value. Only the functions below make one, and each bounds the form or
 * the length of a text. So no event can be declared with room for a prompt, an output or a secret
 * (docs/reference/events.md#the-envelope).
 */
interface EventField<T> {
  readonly schema: z.ZodType<T>;
  readonly example: T;
  readonly [contentFree]: true;
}

const field = <T>(schema: z.ZodType<T>, example: T): EventField<T> => ({ schema, example }) as EventField<T>;

/** The longest name that an event can carry. Stored names must have at most this length. */
export const EVENT_NAME_MAX_CHARACTERS = 256;
const LIST_MAX = 1_000;

const EXAMPLE_ID = '01jd3m5qk8x2v7n4w9t6r0y1zb';
/** Longer than the current ids: receivers should treat an id as opaque. */
const ID_REST = '\\S{1,64}$';

/** An id of this kind, or of one of these kinds. */
export const idOf = (...kinds: readonly [IdKind, ...IdKind[]]): EventField<string> => {
  const prefixes = kinds.map((kind) => idPrefixes[kind]).join('|');
  return field(
    z.string().regex(new RegExp(`^(${prefixes})_${ID_REST}`)),
    `${idPrefixes[kinds[0]]}_${EXAMPLE_ID}`,
  );
};

/** A name given by people: of a key, a provider, a model. */
export const name = (example: string): EventField<string> =>
  field(z.string().max(EVENT_NAME_MAX_CHARACTERS), example);

/** A code from an open list: a permission, a reason, a failure code. */
export const code = (example: string): EventField<string> =>
  field(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:*-]{0,127}$/), example);

export const oneOf = <const V extends string>(...values: readonly [V, ...V[]]): EventField<V> =>
  field<V>(z.enum(values), values[0]);

export const flag = (example: boolean): EventField<boolean> => field(z.boolean(), example);

export const count = (example: number): EventField<number> => field(z.int().min(0), example);

/** An amount of money, in whole nano-dollars. */
export const nanosAmount = count;

/** A sum of amounts, which has no bound. */
export const nanosSum = (example: number): EventField<JsonInteger> =>
  field<JsonInteger>(z.custom<JsonInteger>(isJsonInteger).meta({ type: 'integer', minimum: 0 }), example);

/** ISO 8601 UTC with milliseconds. */
export const timestamp = (): EventField<string> =>
  field(z.iso.datetime({ precision: 3 }), '2026-11-20T12:00:00.000Z');

export const webhookUrl = (): EventField<string> =>
  field(
    z
      .string()
      .max(2_048)
      .regex(/^https?:/),
    'https://hooks.example.com/svc',
  );

/** The last characters of a signing secret, to identify it. */
export const secretLast4 = (): EventField<string> => field(z.string().regex(/^[0-9a-f]{4}$/), '9f3c');

/** An IP address in its one form. */
export const ipAddress = (): EventField<string> =>
  field(
    z
      .string()
      .max(45)
      .regex(/^[0-9a-f:.]+$/),
    '203.0.113.7',
  );

/** The visible part of an API key. */
export const keyPrefix = (): EventField<string> =>
  field(z.string().regex(/^svc_sk_[A-Za-z0-9_-]{1,8}$/), 'svc_sk_Zk3vQ8aB');

export const listOf = <T>(item: EventField<T>): EventField<readonly T[]> =>
  field<readonly T[]>(z.array(item.schema).max(LIST_MAX), [item.example]);

export const orNull = <T>(value: EventField<T>): EventField<T | null> =>
  field(value.schema.nullable(), value.example);

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
  const schema = z.custom<EventExample>(isExample).meta({
    type: 'object',
    properties: { type: { type: 'string' }, data: { type: 'object' } },
    required: ['type', 'data'],
  });
  return field<EventExample>(schema, { type: shown, data: events[shown].example });
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
  const required = Object.entries(fields);
  const optionals = Object.entries(optional ?? {});
  const shape = Object.fromEntries([
    ...required.map(([key, { schema }]) => [key, schema]),
    ...optionals.map(([key, { schema }]) => [key, schema.optional()]),
  ]);
  const example = Object.fromEntries([...required, ...optionals].map(([key, value]) => [key, value.example]));
  return field(
    z.strictObject(shape) as unknown as z.ZodType<ObjectOf<F, Optional>>,
    example as ObjectOf<F, Optional>,
  );
}
