import {
  declareList,
  type Filters,
  type List,
  type SentBy,
  type SentName,
  type WholeChoiceFilter,
} from '../browser/list';
import { type ReadPath, type ReadQuery } from './client';

interface UnknownParameter<Name> {
  readonly theApiHasNoParameter: Name;
}
interface WrongChoices<Missing, Unknown> {
  readonly theApiTakesToo: Missing;
  readonly theApiDoesNotTake: Unknown;
}
type WholeOrWrong<Taken, Value, Filter> = [Taken | Value] extends [Taken & Value]
  ? Filter
  : WrongChoices<Exclude<Taken, Value>, Exclude<Value, Taken>>;
/** The address of a query has an amount as digits. */
type Written<Taken> = Taken extends bigint ? string : Taken;
/** Words that the OpenAPI document describes as any text are checked where they are listed, by `every`. */
type CheckedFilter<Taken, Filter> =
  Filter extends WholeChoiceFilter<infer Value, infer _>
    ? string extends Taken
      ? Filter
      : WholeOrWrong<Taken, Value, Filter>
    : [SentBy<Filter>] extends [string]
      ? [SentBy<Filter>] extends [Taken]
        ? Filter
        : WrongChoices<never, Exclude<SentBy<Filter>, Taken>>
      : Filter;

/** The filters, if each is a parameter of the API, with all words that the API takes and no other. */
export type Checked<Query, F extends Filters> = {
  readonly [Name in keyof F]: SentName<F, Name> extends keyof Query
    ? CheckedFilter<Written<NonNullable<Query[SentName<F, Name>]>>, F[Name]>
    : UnknownParameter<SentName<F, Name>>;
};
export type CheckedQuery<Query, F extends Filters> = Pick<
  Query,
  { [Name in keyof F]: SentName<F, Name> & keyof Query }[keyof F]
>;

/** The filters of a list of the organization: `listOf('/keys', { state: choice(['active', 'revoked']) })`. */
export const listOf = <P extends ReadPath, const F extends Filters>(
  _path: P,
  filters: F & Checked<ReadQuery<P>, F>,
): List<F, CheckedQuery<ReadQuery<P>, F>> => declareList(filters);
