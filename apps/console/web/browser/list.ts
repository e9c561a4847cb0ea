import { flag, instant, oneOf, type AddressOf, type Parameter } from './address';

/** Which control a filter has: a few words, yes or no, a time, or what is typed. */
type FilterKind = 'choice' | 'yesNo' | 'instant' | 'word';

/** One filter of a list: how the address has it, and how the API is asked. */
export interface ListFilter<Value = unknown, SentAs extends string | null = string | null, Sent = unknown> {
  readonly kind: FilterKind;
  readonly takes: Parameter<Value>;
  /** The parameter of the API; null where it has the name of the filter. */
  readonly sentAs: SentAs;
  /** The parameter that the API is sent for the value of the address; undefined where the filter is not set. */
  sent(value: Value | undefined): Sent;
}

/** A filter that is one of a few words, in the order of its menu. */
export interface ChoiceFilter<Value extends string, SentAs extends string | null> extends ListFilter<
  Value,
  SentAs,
  Value
> {
  readonly choices: readonly Value[];
}

/** A choice whose words are all that the API takes. */
export interface WholeChoiceFilter<Value extends string, SentAs extends string | null> extends ChoiceFilter<
  Value,
  SentAs
> {
  readonly isWhole: true;
}

export type Filters = Readonly<Record<string, ListFilter>>;
/** The values that the API is sent, as far as they are told apart from any text. */
export type SentBy<F> = F extends { sent(value: never): infer Sent } ? Exclude<Sent, undefined> : never;
export type ValueOf<F> = F extends { readonly takes: Parameter<infer Value> } ? Value : never;
type AddressSchema<F extends Filters> = { readonly [Name in keyof F]: F[Name]['takes'] };
export type ListSearch<F extends Filters> = AddressOf<AddressSchema<F>>;
/** The parameter of the API that a filter is sent as. */
export type SentName<F extends Filters, Name extends keyof F> = F[Name]['sentAs'] extends string
  ? F[Name]['sentAs']
  : Name;

/** The filters of a list, said once: its address, the query, its chips and "is it filtered" derive from them. */
export interface List<F extends Filters, Query = unknown> {
  /** In the order of the chips. */
  readonly filters: F;
  /** Its part of the schema of the page's address. */
  readonly address: AddressSchema<F>;
  readonly queryOf: (search: ListSearch<F>) => Query;
  /** The value of each filter; undefined where one is not set. */
  readonly valuesOf: (search: ListSearch<F>) => readonly unknown[];
}

/** Several values are one parameter with commas. */
const asText = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'boolean' ? String(value) : value;
};

/** Every word that the API takes. A list of the API in which one is missing or unknown does not compile. */
export const choice = <const Value extends string, SentAs extends string | null = null>(
  choices: readonly Value[],
  sentAs: SentAs = null as SentAs,
): WholeChoiceFilter<Value, SentAs> => ({ ...someChoice(choices, sentAs), isWhole: true });

/** Some words of those that the API takes: the others are not offered. */
export const someChoice = <const Value extends string, SentAs extends string | null = null>(
  choices: readonly Value[],
  sentAs: SentAs = null as SentAs,
): ChoiceFilter<Value, SentAs> => ({
  kind: 'choice',
  takes: oneOf(...choices),
  sentAs,
  sent: (value) => value as Value,
  choices,
});

/** Anything that a parameter of the address reads. `sent` where the API takes it in another form. */
export const word = <Value, SentAs extends string | null = null, Sent = Value>(
  takes: Parameter<Value>,
  sentAs: SentAs = null as SentAs,
  sent: (value: Value | undefined) => Sent = asText as (value: unknown) => Sent,
): ListFilter<Value, SentAs, Sent> => ({ kind: 'word', takes, sentAs, sent });

export const yesNo = <SentAs extends string | null = null>(
  sentAs: SentAs = null as SentAs,
): ListFilter<boolean, SentAs> => ({ kind: 'yesNo', takes: flag, sentAs, sent: asText });

/** The two ends of a span of time, by when something was created. */
export const createdWithin = {
  after: { kind: 'instant', takes: instant, sentAs: 'created_after', sent: asText },
  before: { kind: 'instant', takes: instant, sentAs: 'created_before', sent: asText },
} as const satisfies Filters;

/** A list of which the API knows nothing, or whose parameters `listOf` of an API has checked. */
export function declareList<F extends Filters, Query>(filters: F): List<F, Query> {
  const each = Object.entries(filters) as [keyof F & string, ListFilter][];
  return {
    filters,
    address: Object.fromEntries(each.map(([name, { takes }]) => [name, takes])) as AddressSchema<F>,
    queryOf: (search) =>
      Object.fromEntries(
        each.map(([name, { sentAs, sent }]) => [sentAs ?? name, sent(search[name])]),
      ) as Query,
    valuesOf: (search) => each.map(([name]) => search[name]),
  };
}
