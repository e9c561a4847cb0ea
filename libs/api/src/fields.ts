import { idPrefixes, isJsonInteger, type IdKind, type JsonInteger } from '@svc/kernel';
import { z } from 'zod';

const formOf = (kind: IdKind) => new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`);

/** An id of one kind, for all schemas of the API. */
export const id = (kind: IdKind) =>
  z
    .string()
    .regex(formOf(kind), `must be an id of the form ${idPrefixes[kind]}_…`)
    .meta({ example: `${idPrefixes[kind]}_06dpm2q4x8k3c0v9r7t5w1hzny` });

const IDS_MAX = 100;

/** Ids of one kind in a filter, separated by commas. */
export const idList = (kind: IdKind) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .refine((ids) => ids.length <= IDS_MAX, `must be at most ${String(IDS_MAX)} ids`)
    .refine(
      (ids) => ids.every((one) => formOf(kind).test(one)),
      `must be ids of the form ${idPrefixes[kind]}_…, separated by commas`,
    )
    .meta({
      description: `Only these, at most ${String(IDS_MAX)}. Unknown ids are left out. Without \`limit\`, the page holds all of them.`,
      example: `${idPrefixes[kind]}_06dpm2q4x8k3c0v9r7t5w1hzny`,
    });

/** In the years that both ISO 8601 and the database write with four digits. */
const isKept = (time: Date): boolean => {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9_999;
};

const OTHER_YEAR = { error: 'must be in the years 1 to 9999, in UTC' };

/** ISO 8601 UTC with milliseconds (docs/reference/management-conventions.md, Time). */
export const timestamp = () =>
  z.iso
    .datetime({ precision: 3 })
    .refine((text) => isKept(new Date(text)), OTHER_YEAR)
    .meta({ example: '2026-11-20T09:30:00.000Z' });

/** A point in time in a body, with any offset and any fraction of a second. It is read as a {@link timestamp}. */
export const givenTime = () =>
  z.iso
    .datetime({ offset: true, error: 'must be a timestamp with its offset' })
    .refine((text) => isKept(new Date(text)), OTHER_YEAR)
    .overwrite((text) => {
      const time = new Date(text);
      // Also asked of what was refused before.
      return Number.isNaN(time.getTime()) ? text : presentTime(time);
    })
    .meta({ example: '2026-11-20T09:30:00.000Z' });

const NO_POINT = { error: 'must be a timestamp with its offset, or a date' };

/** A point in time in a filter: a timestamp, or a date, which means its start in UTC. */
export const pointInTime = () =>
  z
    .union([z.iso.datetime({ offset: true, ...NO_POINT }), z.iso.date(NO_POINT)])
    .transform((text) => new Date(text))
    .refine(isKept, OTHER_YEAR)
    .meta({ example: '2026-11-20T09:30:00.000Z' });

/** One amount in nano-dollars: at most what a wallet holds, which is what readers of JSON hold exactly. */
export const nanosAmount = () =>
  z
    .int('must be an integer of nano-dollars, at most 2⁵³ − 1')
    .meta({ description: 'Nano-dollars: 10⁻⁹ USD.', example: 1_500_000_000 });

/** A sum of amounts, which has no bound. For answers only. */
export const nanosSum = () =>
  z.custom<JsonInteger>(isJsonInteger).meta({
    description: 'Nano-dollars: 10⁻⁹ USD. It can exceed 2⁵³ − 1.',
    example: 1_500_000_000,
    override: { type: 'integer', minimum: 0 },
  });

const NAME_MAX = 200;

/**
 * Lists, mails and logs show these texts. So control characters and separators of lines are refused, and invisible
 * characters of direction, which make a text look like another one. Lone surrogates are invalid Unicode, and the database
 * refuses them.
 */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]*$/u;
export const NOT_ONE_LINE = 'must not contain control characters, or invisible ones of direction';

/** A text of one line. */
export const line = (maxLength: number) =>
  z.string().trim().min(1).max(maxLength).regex(ONE_LINE, NOT_ONE_LINE);

/** A name that users give to a resource. */
export const name = () => line(NAME_MAX).meta({ example: 'Production' });

/** A point in time as presenters write it. */
export const presentTime = (time: Date): string => time.toISOString();
export const presentTimeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
