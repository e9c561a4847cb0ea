import { type z } from 'zod';

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The fields of a body by the names that records have for them (`rate_limit_rpm` is `rateLimitRpm`), without those that are
 * undefined.
 */
export const recordFields = <Body extends object>(
  body: Body,
): { [Name in keyof Body as CamelCase<Name>]: Exclude<Body[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [camelCase(name), value as unknown]),
  ) as { [Name in keyof Body as CamelCase<Name>]: Exclude<Body[Name], undefined> };

/** A time is shown as ISO text, anything else as it is. */
type Shown<Value> = Value extends Date ? string : Value;
/** What an answer only reads: a record's lists need no copies. */
type Read<Value> = Value extends object ? { readonly [Name in keyof Value]: Read<Value[Name]> } : Value;
type Presenters<Answer, Rec> = { readonly [Name in keyof Answer]-?: (record: Rec) => Read<Answer[Name]> };
/** The fields of an answer that a record does not have as they are shown. */
type Computed<Answer, Rec> = {
  [Name in keyof Answer]-?: CamelCase<Name> extends keyof Rec
    ? Shown<Rec[CamelCase<Name>]> extends Read<Answer[Name]>
      ? never
      : Name
    : Name;
}[keyof Answer];

/**
 * Presents records by the schema of their answer: each field is the record's of that name, times as ISO text. What a record
 * does not have, or has in another form, is computed: the compiler asks for it. So may be others.
 */
export function presenter<Schema extends z.ZodObject, Rec extends object>(
  schema: Schema,
  computed: Pick<Presenters<z.input<Schema>, Rec>, Computed<z.input<Schema>, Rec>> &
    Partial<Presenters<z.input<Schema>, Rec>>,
): (record: Rec) => z.input<Schema> {
  const compute = computed as Readonly<Record<string, ((record: Rec) => unknown) | undefined>>;
  const fields = Object.keys(schema.shape).map((name) => {
    const own = camelCase(name) as keyof Rec;
    return [name, compute[name] ?? ((record: Rec) => shown(record[own]))] as const;
  });
  return (record) =>
    Object.fromEntries(fields.map(([name, present]) => [name, present(record)])) as z.input<Schema>;
}

const shown = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
