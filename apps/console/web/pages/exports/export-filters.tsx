import { type ReactElement } from 'react';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { exportKinds, exportStates } from './export';
import { exportsRoute } from './route';
import { kindWords, stateWords, text } from './text';

type Address = ReturnType<typeof exportsRoute.useSearch>;

/** The filters of the list. What they are set to is the address. */
export function ExportFilters(): ReactElement {
  const { state, kind } = exportsRoute.useSearch();
  const navigate = exportsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    choiceFilter({
      key: 'kind',
      label: labels.kind,
      value: kind,
      choices: exportKinds,
      words: kindWords,
      onChange: (next) => set({ kind: next }),
    }),
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: exportStates,
      words: stateWords,
      onChange: (next) => set({ state: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
