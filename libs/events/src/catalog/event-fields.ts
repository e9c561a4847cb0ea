import { idPrefixes, type IdKind } from '@svc/kernel';
import { z } from 'zod';

declare const contentFree: unique symbol;

/**
 * A field of an event's `data`, with a value as customers might see it. Only the functions below make one, and
 * none of them lets through a text that is free in both form and length: so no event can be declared with room
 * for a prompt, an output or a secret (interface.md, Events).
 */
export interface EventField<T> {
  readonly schema: z.ZodType<T>;
  readonly example: T;
  readonly [contentFree]: true;
}

const field = <T>(schema: z.ZodType<T>, example: T): EventField<T> => ({ schema, example }) as EventField<T>;

/** Longest name that an event can carry: whoever stores one must bound it at this or less. */
export const EVENT_NAME_MAX_CHARACTERS = 256;
const LIST_MAX = 1_000;

const EXAMPLE_ID = '01jd3m5qk8x2v7n4w9t6r0y1zb';
/** Longer than our ids are: receivers do well to treat an id as opaque. */
const ID_REST = '\\S{1,64}$';

/** An id of this kind, or of one of these kinds. */
export const idOf = (...kinds: readonly [IdKind, ...IdKind[]]): EventField<string> => {
  const prefixes = kinds.map((kind) => idPrefixes[kind]).join('|');
  return field(
    z.string().regex(new RegExp(`^(${prefixes})_${ID_REST}`)),
    `${idPrefixes[kinds[0]]}_${EXAMPLE_ID}`,
  );
};

/** An id of a kind that the kernel does not know yet: the producer that makes it adds it there and uses `idOf`. */
export const laterIdOf = (noun: string): EventField<string> =>
  field(z.string().regex(new RegExp(`^[a-z]+(_[a-z]+)*_${ID_REST}`)), `${noun}_${EXAMPLE_ID}`);

/** What people call a thing: a key's name, a provider, a model. */
export const name = (example: string): EventField<string> =>
  field(z.string().max(EVENT_NAME_MAX_CHARACTERS), example);

/** A word of a machine's vocabulary that may grow: a permission, a reason, a failure code. */
export const code = (example: string): EventField<string> =>
  field(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:*-]{0,127}$/), example);

export const oneOf = <const V extends string>(...values: readonly [V, ...V[]]): EventField<V> =>
  field<V>(z.enum(values), values[0]);

export const count = (example: number): EventField<number> => field(z.int().min(0), example);

/** An amount of money, in whole nano-dollars. */
export const nanosAmount = count;

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

/** Tells signing secrets apart. */
export const secretLast4 = (): EventField<string> => field(z.string().regex(/^[0-9a-f]{4}$/), '9f3c');

/** The visible part of an API key. */
export const keyPrefix = (): EventField<string> =>
  field(z.string().regex(/^svc_sk_[A-Za-z0-9_-]{1,8}$/), 'svc_sk_Zk3vQ8aB');

export const listOf = <T>(item: EventField<T>): EventField<readonly T[]> =>
  field<readonly T[]>(z.array(item.schema).max(LIST_MAX), [item.example]);

export const orNull = <T>(value: EventField<T>): EventField<T | null> =>
  field(value.schema.nullable(), value.example);
