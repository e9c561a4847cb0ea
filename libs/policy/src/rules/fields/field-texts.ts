import { z } from 'zod';

const NAME_LENGTH_MAX = 200;

/** Any name that a catalog could have: a policy may name entries that the catalog does not list yet or any more. */
export const name = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(NAME_LENGTH_MAX, `must have at most ${String(NAME_LENGTH_MAX)} characters`)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text');

export const modelId = name
  .regex(/^[^/\s]+\/\S+$/, 'must have the form <creator>/<model>')
  .meta({ example: 'acme/small' });

export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

export const whole = (from: number, to: number) =>
  z
    .int('must be a whole number')
    .min(from, `must be at least ${String(from)}`)
    .max(to, `must be at most ${String(to)}`);
