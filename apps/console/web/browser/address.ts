import { isId, type Id, type IdKind } from '@svc/kernel';

/** Reads the texts of one search parameter; undefined for what it cannot be. */
export type Parameter<Value> = (texts: readonly string[]) => Value | undefined;
type Schema = Readonly<Record<string, Parameter<unknown>>>;
export type AddressOf<S extends Schema> = {
  readonly [Name in keyof S]?: S[Name] extends Parameter<infer Value> ? Value : never;
};
type Raw = Readonly<Record<string, unknown>>;

const TEXT_MAX = 200;
const SUBJECT_MAX = 256;
const VALUES_MAX = 50;
const one =
  <Value>(read: (text: string) => Value | undefined): Parameter<Value> =>
  ([text, ...others]) =>
    text === undefined || others.length > 0 ? undefined : read(text);

/** A text of one line, as the API takes it. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]*$/u;

const line = (most: number): Parameter<string> =>
  one((word) => (word.trim() !== '' && word.length <= most && ONE_LINE.test(word) ? word : undefined));

/** A name or words to search for. */
export const text = line(TEXT_MAX);

/** Whom something is of, by an id or a name: an end user, for example. */
export const subject = line(SUBJECT_MAX);

export const oneOf = <const Words extends readonly string[]>(...words: Words): Parameter<Words[number]> =>
  one((word) => words.find((allowed) => allowed === word));

export const idOf = <K extends IdKind>(kind: K): Parameter<Id<K>> =>
  one((word) => (isId(kind, word) ? word : undefined));

export const flag: Parameter<boolean> = one((word) =>
  word === 'true' ? true : word === 'false' ? false : undefined,
);

/** A whole number from `least` on. */
export const whole = (least = 0, most = Number.MAX_SAFE_INTEGER): Parameter<number> =>
  one((word) => {
    const value = /^\d{1,16}$/.test(word) ? Number(word) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  });

/** An instant with `Z`, as the API takes it: of a day that there is. */
export const instant: Parameter<string> = one((word) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(word) && isOnDay(word.slice(0, 10), word) ? word : undefined,
);

const isOnDay = (date: string, instantText: string): boolean => {
  const time = Date.parse(instantText);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
};

/** A day, `2026-11-22`. */
export const day: Parameter<string> = one((word) =>
  /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(word)) ? word : undefined,
);

/** Several values, with commas between them: all of them must be right, and no more than the API takes. */
export const several =
  <Value>(parameter: Parameter<Value>): Parameter<readonly Value[]> =>
  (texts) => {
    const values = texts.flatMap((joined) => joined.split(',')).map((word) => parameter([word]));
    const isSome = values.length > 0 && values.length <= VALUES_MAX;
    return isSome && values.every((value) => value !== undefined) ? values : undefined;
  };

interface ReadAddress<S extends Schema> {
  readonly values: AddressOf<S>;
  /** The names of what did not parse, or is no parameter of this page. */
  readonly dropped: readonly string[];
}

/** The search parameters of a page by its schema. What does not parse is left out, and named. */
export function readAddress<S extends Schema>(schema: S, raw: Raw): ReadAddress<S> {
  const read = Object.entries(raw)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const texts = (Array.isArray(value) ? value : [value]).map(String);
      return [name, Object.hasOwn(schema, name) ? schema[name]?.(texts) : undefined] as const;
    });
  return {
    values: Object.fromEntries(read.filter(([, value]) => value !== undefined)) as AddressOf<S>,
    dropped: read.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** Each parameter once, several of one name as a list: no JSON, no numbers. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const texts = parameters.getAll(name);
      return [name, texts.length === 1 ? (texts[0] ?? '') : texts];
    }),
  );
}

export function stringifySearch(search: Raw): string {
  const pairs = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)]);
  // Commas, colons and slashes are common in ids and times, and need no escape in a query.
  const text = new URLSearchParams(pairs)
    .toString()
    .replace(/%2C/g, ',')
    .replace(/%3A/g, ':')
    .replace(/%2F/g, '/');
  return text === '' ? '' : `?${text}`;
}
