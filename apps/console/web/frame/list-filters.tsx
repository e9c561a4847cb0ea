import { type ReactElement, type ReactNode } from 'react';
import { type ChoiceFilter, type Filters, type List, type ListFilter, type ValueOf } from '../browser/list';
import { choiceFilter } from '../ui/filters/choice-filter';
import { FilterBar, type Filter, type FilterBarProps } from '../ui/filters/filter-bar';
import { wordFilter, type WordFilterProps } from '../ui/filters/word-filter';
import { useInstantFilter } from './instant-filter';
import { useList } from './use-list';

type Editor<Value> = (value: Value | undefined, onChange: (value: Value | undefined) => void) => ReactNode;
interface Chip<Value> extends Pick<WordFilterProps<Value>, 'label' | 'hint' | 'problem' | 'shown'> {
  readonly words?: Readonly<Record<string, string>>;
  /** A control of its own. Undefined clears the filter. */
  readonly editor?: Editor<Value>;
}
interface Worded<Words extends string> {
  readonly words: Readonly<Record<Words, string>>;
}
/** How the page shows and sets a filter that only it can. */
interface OwnControl<Value> {
  readonly shown: (value: Value) => string;
  readonly editor: Editor<Value>;
}
/** How a filter is shown: a choice needs its words, and what is no text a control of its own. */
type ChipOf<F, Value = ValueOf<F>> = Chip<Value> &
  (F extends { readonly choices: readonly (infer Choice extends string)[] }
    ? Worded<Choice>
    : [Value] extends [boolean]
      ? Worded<'true' | 'false'>
      : [Value] extends [string]
        ? unknown
        : OwnControl<Value>);
type Chips<F extends Filters> = { readonly [Name in keyof F]: ChipOf<F[Name]> };

interface ListFiltersProps<F extends Filters> extends Pick<FilterBarProps, 'children'> {
  readonly of: List<F>;
  readonly chips: Chips<F>;
  /** Filters that this page does not offer now. */
  readonly without?: readonly (keyof F)[];
}

/** The filters of a list, as chips. What they are set to is the address. */
export function ListFilters<F extends Filters>(props: ListFiltersProps<F>): ReactElement {
  const { of, chips, without = [], children } = props;
  const { search, set, clear } = useList(of);
  const filterOf = useFilterOf();
  const names = (Object.keys(of.filters) as (keyof F & string)[]).filter((name) => !without.includes(name));
  const filters = names.map((name) =>
    filterOf({
      key: name,
      declared: of.filters[name] as ListFilter,
      chip: chips[name] as Chip<unknown>,
      value: search[name],
      onChange: (value) => set({ [name]: value } as Parameters<typeof set>[0]),
    }),
  );
  return (
    <FilterBar filters={filters} onClearAll={clear}>
      {children}
    </FilterBar>
  );
}

interface FilterFacts {
  readonly key: string;
  readonly declared: ListFilter;
  readonly chip: Chip<unknown>;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The types of a filter's value, its words and its control are checked where the chips are given. */
function useFilterOf(): (facts: FilterFacts) => Filter {
  const instantFilter = useInstantFilter();
  return ({ key, declared, chip, value, onChange }) => {
    const { editor, shown, label } = chip;
    const words: Readonly<Record<string, string>> = chip.words ?? {};
    const set = { key, label, onChange };
    if (editor !== undefined) {
      const inWords = shown ?? ((one: unknown) => words[String(one)] ?? '');
      return {
        key,
        label,
        value: value === undefined ? null : inWords(value),
        onClear: () => onChange(undefined),
        editor: (close) => editor(value, (next) => (onChange(next), close())),
      };
    }
    switch (declared.kind) {
      case 'choice':
        return choiceFilter({ ...set, value: value as string, words, choices: choicesOf(declared) });
      case 'yesNo':
        return choiceFilter({
          ...set,
          value: value === undefined ? undefined : String(value),
          words,
          choices: ['true', 'false'],
          onChange: (next) => onChange(next === undefined ? undefined : next === 'true'),
        });
      case 'instant':
        return instantFilter({ ...set, value: value as string });
      case 'word':
        return wordFilter<string>({
          ...(chip as Chip<string>),
          ...set,
          value: value as string,
          takes: declared.takes as ListFilter<string>['takes'],
        });
    }
  };
}

const choicesOf = (declared: ListFilter): readonly string[] =>
  (declared as ChoiceFilter<string, null>).choices;
