import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Filters, type List, type ListSearch } from '../browser/list';

export type ListChange<F extends Filters> = {
  readonly [Name in keyof F]?: ListSearch<F>[Name] | undefined;
};

interface FilteredList<F extends Filters, Query> {
  /** The values of the filters. */
  readonly search: ListSearch<F>;
  /** The query of the API, besides the page. */
  readonly query: Query;
  readonly set: (change: ListChange<F>) => void;
  readonly clear: () => void;
  /** For the table: whether it is filtered, and how that ends. */
  readonly filtered: { readonly filters: readonly unknown[]; readonly onClear: () => void };
}

/** A list as the address of the page filters it. The rest of the address stays, such as the tab. */
export function useList<F extends Filters, Query>(list: List<F, Query>): FilteredList<F, Query> {
  const address: object = useSearch({ strict: false });
  const search = address as ListSearch<F>;
  const navigate = useNavigate();
  const set = (change: ListChange<F>) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }) });
  const clear = () =>
    set(Object.fromEntries(Object.keys(list.filters).map((name) => [name, undefined])) as ListChange<F>);
  return {
    search,
    query: list.queryOf(search),
    set,
    clear,
    filtered: { filters: list.valuesOf(search), onClear: clear },
  };
}
